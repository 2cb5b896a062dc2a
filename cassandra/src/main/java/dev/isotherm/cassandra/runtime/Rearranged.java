// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.runtime;

import org.apache.cassandra.locator.Replica;
import org.apache.cassandra.locator.ReplicaCollection;

/** Replicas in another order, by sorting: Cassandra's only reordering operation that copies no map. */
public final class Rearranged {
    private Rearranged() {}

    /**
     * The same replicas, all of them.
     *
     * @param indices for each place the index of the replica that comes there; each index once
     */
    public static <C extends ReplicaCollection<? extends C>> C of(C replicas, int[] indices) {
        int[] placeOf = new int[indices.length];
        for (int place = 0; place < indices.length; place++) {
            placeOf[indices[place]] = place;
        }
        return replicas.sorted((a, b) -> placeOf[indexOf(a, replicas)] - placeOf[indexOf(b, replicas)]);
    }

    /** The index of one of the replicas: the same object. */
    public static int indexOf(Replica replica, ReplicaCollection<?> replicas) {
        int i = 0;
        while (replicas.get(i) != replica) {
            i++;
        }
        return i;
    }
}
