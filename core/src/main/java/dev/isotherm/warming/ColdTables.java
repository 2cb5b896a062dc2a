// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.warming;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The tables for which a started node asks for copies: those whose reads cost it more than they cost its peers, for a
 * bounded time after its start. Used by one thread.
 *
 * @param <T> the tables
 */
public final class ColdTables<T> {
    /** A table is cold from here on: its reads cost the node so many times what they cost its peers. */
    public static final double COLD_TIMES = 1.5;
    /** It was cold, and is warm again, at this cost and below. */
    public static final double WARM_TIMES = 1.1;

    private final long endNanos;
    private Set<T> cold = Set.of();

    /**
     * @param atMostNanos how long after the start a table can be cold, 0 or above: a node that misses more than its
     *     peers for good (less memory, other traffic) does not ask for ever
     */
    public ColdTables(long startedNanos, long atMostNanos) {
        this.endNanos = startedNanos + atMostNanos;
    }

    /** Whether no table can be cold any more. */
    public boolean isOver(long nowNanos) {
        return nowNanos - endNanos >= 0;
    }

    /**
     * Brings the cold tables up to date.
     *
     * @param timesPeers what a read of each table costs the node, over what it costs its peers; a table that cannot be
     *     compared is missing or NaN, and not cold
     * @return the cold tables; a set that is never modified
     */
    public Set<T> look(Map<T, Double> timesPeers, long nowNanos) {
        Set<T> now = new HashSet<>();
        if (!isOver(nowNanos)) {
            timesPeers.forEach((table, times) -> {
                if (cold.contains(table) ? times > WARM_TIMES : times > COLD_TIMES) {
                    now.add(table);
                }
            });
        }
        cold = Set.copyOf(now);
        return cold;
    }
}
