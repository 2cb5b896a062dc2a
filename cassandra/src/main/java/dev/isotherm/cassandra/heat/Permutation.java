// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import java.util.Comparator;
import org.apache.cassandra.locator.EndpointsForToken;
import org.apache.cassandra.locator.Replica;

/**
 * Puts replicas into a given order by sorting: Cassandra's only reordering operation that copies no map.
 *
 * <p>One object per thread, reused for every read.
 */
final class Permutation implements Comparator<Replica> {
    private EndpointsForToken replicas;
    private int[] rank = new int[16];

    /** The replicas in another order: place i of the result is replica {@code order[i]}. */
    EndpointsForToken of(EndpointsForToken replicas, int[] order) {
        int n = replicas.size();
        if (rank.length < n) {
            rank = new int[n];
        }
        for (int i = 0; i < n; i++) {
            rank[order[i]] = i;
        }
        this.replicas = replicas;
        try {
            return replicas.sorted(this);
        } finally {
            this.replicas = null;
        }
    }

    @Override
    public int compare(Replica a, Replica b) {
        return rankOf(a) - rankOf(b);
    }

    private int rankOf(Replica replica) {
        int i = 0;
        while (replicas.get(i) != replica) {
            i++;
        }
        return rank[i];
    }
}
