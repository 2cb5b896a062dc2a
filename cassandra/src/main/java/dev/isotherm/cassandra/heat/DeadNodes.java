// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import java.util.Set;
import java.util.function.Supplier;
import org.apache.cassandra.locator.InetAddressAndPort;

/**
 * The nodes Cassandra holds for dead, copied so that a read asks no failure detector.
 *
 * <p>A copy may lag by the interval at which it is refreshed. Cassandra drops the dead from the order by itself, so
 * that a lag costs a draw and never a read.
 */
final class DeadNodes {
    private final Supplier<Set<InetAddressAndPort>> source;
    private volatile Set<InetAddressAndPort> dead = Set.of();

    /** @param source asks Cassandra for the nodes it holds for dead */
    DeadNodes(Supplier<Set<InetAddressAndPort>> source) {
        this.source = source;
    }

    /** Asks Cassandra again. */
    void refresh() {
        dead = Set.copyOf(source.get());
    }

    /** A bit mask of the replicas that live, bit i for replica i. */
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
