// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.warming;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The tables for which a started node asks for copies: those whose reads cost it more than they cost its peers, for a
 * bounded time after its start and only as long as they come closer. Used by one thread.
 *
 * @param <T> the tables
 */
public final class ColdTables<T> {
    /** A table is cold from here on: its reads cost the node so many times what they cost its peers. */
    public static final double COLD_TIMES = 1.5;
    /*
     * Costs that differ by at most three tenths of the higher one count as equal for the balance of reads: from there
     * on the node gets its full part of them. (Costs below the miss floor, or below the time of a warm read, count as
     * these here: so little is warm, whatever part of the reads it gets.) By the draws that it got until then it may
     * miss more than its peers for as long as it asks, however warm it is.
     */
    /** Cost, in times that of the peers, at and below which a table that was cold is warm again. */
    public static final double WARM_TIMES = 1 / 0.7;

    /*
     * Copies warm a cache, but do not make a disk faster. A node whose disk is slow costs as much more than its peers
     * as a cold one, and goes on to.
     */
    /** Part of its distance from the peers' costs by which a cold table has to come closer; else its disk is slow. */
    public static final double PROGRESS = 0.05;

    /** Most tables asked for at a time, as many as an invitation has; the others wait until one is warm. */
    public static final int MOST_TABLES = Invitation.MAX_TABLES;

    /** Time in which a cold table's costs have to come closer by {@link #PROGRESS}. */
    public static final long PATIENCE_NANOS = 60_000_000_000L;

    private final long startedNanos;
    private long endNanos;
    private Map<T, Progress> cold = Map.of();
    private final Set<T> slow = new HashSet<>();

    private static final class Progress {
        double least;
        long sinceNanos;

        Progress(double times, long nowNanos) {
            least = times;
            sinceNanos = nowNanos;
        }

        boolean isMade(double times, long nowNanos) {
            // What counts is how far it is from its peers, which are at 1.
            if (times - 1 < (least - 1) * (1 - PROGRESS)) {
                least = times;
                sinceNanos = nowNanos;
            }
            return nowNanos - sinceNanos < PATIENCE_NANOS;
        }
    }

    /**
     * @param startedNanos the instant at which the node could first ask
     * @param atMostNanos how long after the start a table can be cold, 0 or above: a node that misses more than its
     *     peers for good (less memory, other traffic) does not ask for ever
     */
    public ColdTables(long startedNanos, long atMostNanos) {
        this.startedNanos = startedNanos;
        endAfter(atMostNanos);
    }

    /** Sets how long after the start a table can be cold, 0 or above. */
    public final void endAfter(long atMostNanos) {
        endNanos = startedNanos + atMostNanos;
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
     * @return the tables to ask for, the coldest first to come into their number; a set that is never modified
     */
    public Set<T> look(Map<T, Double> timesPeers, long nowNanos) {
        Map<T, Progress> now = new HashMap<>();
        if (!isOver(nowNanos)) {
            List<Map.Entry<T, Double>> waiting = new ArrayList<>();
            timesPeers.forEach((table, times) -> {
                Progress before = cold.get(table);
                if (before == null && times > COLD_TIMES && !slow.contains(table)) {
                    waiting.add(Map.entry(table, times));
                } else if (before != null && times > WARM_TIMES) {
                    if (before.isMade(times, nowNanos)) {
                        now.put(table, before);
                    } else {
                        slow.add(table);
                    }
                }
            });
            waiting.sort(Map.Entry.<T, Double>comparingByValue().reversed());
            for (Map.Entry<T, Double> next : waiting.subList(0, Math.min(waiting.size(), MOST_TABLES - now.size()))) {
                // Its patience begins here: while it was not asked for, nothing could bring it closer.
                now.put(next.getKey(), new Progress(next.getValue(), nowNanos));
            }
        }
        cold = now;
        return Set.copyOf(now.keySet());
    }
}
