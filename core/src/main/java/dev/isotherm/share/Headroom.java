// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.share;

/** The part of the threads that is given to nobody, so that operations seldom wait for one. */
final class Headroom {
    /*
     * This node's own numbers admit operations at nearly equal distances. What several others have admitted comes by
     * chance: where it takes S seconds, and of c threads all but a part r are busy, it and the others wait for about
     * S / 2cr (Kingman, "The single server queue in heavy traffic", Mathematical Proceedings 1961, with c servers and
     * operations that take alike). Clients that wait for their answers then ask for less, and the large partition would
     * get what they no longer ask for.
     */

    /** The least part: of operations that come evenly, or are short. */
    private static final double LEAST = 0.015;

    /** The most: beyond it the large partitions lose more than the others get back. */
    private static final double MOST = 0.07;

    /** The wait, in seconds, that is left where the most is not reached. */
    private static final double WAIT_SECONDS = 0.06;

    /** Part of what is asked for that others refuse from which on what they admit comes by chance. */
    private static final double BY_CHANCE = 0.05;

    private Headroom() {}

    /**
     * The threads that all operations together may keep busy.
     *
     * @param available those that can be busy: where a disk behind them is scarce others are left over in any case
     * @param present the large partitions
     * @param poolThreads all threads of the pool, above 0
     */
    static double givenAway(double available, WatchedPartition[] present, int poolThreads) {
        double busy = 0;
        double byChance = 0;
        for (WatchedPartition partition : present) {
            double its = partition.demand.busyThreads();
            busy += its;
            byChance += partition.refusedElsewhere() > BY_CHANCE ? its * partition.demand.secondsPerOperation() : 0;
        }
        double seconds = busy > 0 ? byChance / busy : 0;
        double left = Math.min(MOST, seconds / (2 * poolThreads * WAIT_SECONDS));
        return Math.min((1 - LEAST) * available, (1 - left) * poolThreads);
    }
}
