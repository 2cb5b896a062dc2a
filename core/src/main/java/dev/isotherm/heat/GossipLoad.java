// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import dev.isotherm.common.Allowed;
import java.util.concurrent.TimeUnit;

/** How much a node of a large cluster tells by gossip, and how often: what all tell travels in the messages of each. */
public final class GossipLoad {
    /*
     * In a round of a second a node exchanges with another one all that either lacks: where each of N nodes tells
     * something new each s seconds, some N / 2s reports, and twice as many in one message of ten. An entry takes 26
     * characters. Cassandra sends a message of 64 KiB or more on the connection of large messages, where it waits
     * behind mutations and result pages, and heartbeats with it.
     */
    /** Entries, a table's of one node each, that the whole cluster may change each five seconds. */
    private static final int ENTRIES = 6_000;

    private static final double ENTRIES_PER_SECOND = ENTRIES / 5.0;
    /**
     * Tables that a report may have however many nodes there are: as many as read responses carry, or more. A report
     * with fewer has all that its node has read.
     */
    public static final int LEAST_TABLES = 32;

    /** Longest time between two reports: who hears nothing for longer may take the last one for outdated. */
    private static final long MOST_BETWEEN_NANOS = TimeUnit.SECONDS.toNanos(30);

    private GossipLoad() {}

    /**
     * The most tables in a report: 255 up to 23 nodes, 60 of 100 nodes, 32 from 188 on.
     *
     * @param nodes of the cluster, 1 or above
     */
    public static int mostTables(int nodes) {
        if (nodes < 1) {
            throw Allowed.refusal("nodes", nodes, "1 or above");
        }
        return Math.max(LEAST_TABLES, Math.min(HeatReport.MAX_TABLES, ENTRIES / nodes));
    }

    /**
     * The least time between two reports of a node, in nanoseconds, whatever has changed; 30 s at most.
     *
     * @param nodes of the cluster, 1 or above
     * @param tables in the report, 0 or above
     */
    public static long leastBetweenNanos(int nodes, int tables) {
        long nanos = (long) (TimeUnit.SECONDS.toNanos(1) * (double) nodes * tables / ENTRIES_PER_SECOND);
        return Math.min(MOST_BETWEEN_NANOS, nanos);
    }
}
