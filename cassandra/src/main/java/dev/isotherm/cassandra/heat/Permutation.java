// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import dev.isotherm.cassandra.runtime.Rearranged;
import java.util.Comparator;
import org.apache.cassandra.locator.EndpointsForToken;
import org.apache.cassandra.locator.Replica;

/**
 * Puts replicas into a given order by sorting: Cassandra's only reordering operation that copies no map.
 *
 * <p>One object per thread, reused for every read.
 */
final class Permutation implements Comparator<Replica> {
    /** A replica that has not been given a place. */
    static final int NO_PLACE = -1;

    private EndpointsForToken replicas;
    private int[] places = new int[16];

    /** The places of so many replicas in an order, all without one; as long or longer. */
    int[] placesOf(int count) {
        if (places.length < count) {
            places = new int[count];
        }
        for (int i = 0; i < count; i++) {
            places[i] = NO_PLACE;
        }
        return places;
    }

    /** The replicas in the order of the places that were given to them. */
    EndpointsForToken of(EndpointsForToken replicas) {
        this.replicas = replicas;
        try {
            return replicas.sorted(this);
        } finally {
            this.replicas = null;
        }
    }

    @Override
    public int compare(Replica a, Replica b) {
        return places[Rearranged.indexOf(a, replicas)] - places[Rearranged.indexOf(b, replicas)];
    }
}
