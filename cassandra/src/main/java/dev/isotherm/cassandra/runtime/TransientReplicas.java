// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.runtime;

import org.apache.cassandra.locator.ReplicaCollection;

/**
 * Whether replicas may be put into another order. One full replica must be among those that a read contacts, and
 * Cassandra only checks that once the order has chosen them: the operator's order has the full ones first.
 */
public final class TransientReplicas {
    private TransientReplicas() {}

    /** Whether one of them is transient: their order is not to be changed. */
    public static boolean areAmong(ReplicaCollection<?> replicas) {
        for (int i = 0; i < replicas.size(); i++) {
            if (replicas.get(i).isTransient()) {
                return true;
            }
        }
        return false;
    }
}
