// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import java.util.Set;
import java.util.function.Supplier;
import org.apache.cassandra.locator.InetAddressAndPort;

/**
 * The nodes that Cassandra considers dead, copied so that a read does not query the failure detector.
 *
 * <p>A copy may be late by the interval of its refresh. Cassandra itself drops dead replicas from the order, so that a
 * late copy costs a draw and never a read.
 */
final class DeadNodes {
    private final Supplier<Set<InetAddressAndPort>> source;
    private volatile Set<InetAddressAndPort> dead = Set.of();

    /** @param source asks Cassandra for the nodes that it considers dead */
    DeadNodes(Supplier<Set<InetAddressAndPort>> source) {
        this.source = source;
    }

    /** Asks Cassandra again. */
    void refresh() {
        dead = Set.copyOf(source.get());
    }

    boolean contains(InetAddressAndPort node) {
        return dead.contains(node);
    }

    /** A bit mask of the live replicas, bit i for replica i. */
    long liveMask(InetAddressAndPort[] replicas) {
        Set<InetAddressAndPort> dead = this.dead;
        long all = replicas.length == Long.SIZE ? -1L : (1L << replicas.length) - 1;
        if (dead.isEmpty()) {
            return all;
        }
        for (int i = 0; i < replicas.length; i++) {
            if (dead.contains(replicas[i])) {
                all &= ~(1L << i);
            }
        }
        return all;
    }
}
