// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

/**
 * The share of a replica group's contacts that each replica gets at most. While copies of reads warm a replica it gets
 * so few reads of clients that hardly any waits for its misses, if the others bear what it does not serve.
 */
final class SparedReplicas {
    /*
     * Copies fill the cache of a cold node as fast as its disk bears, and nobody waits for them. A client's read that
     * it serves meanwhile waits for a miss, and warms it no sooner than the copy would whose place it takes. While the
     * node was down the others served all: they go on until it misses little more often than they do. With e_i misses
     * per read more than the mean of the others,
     *
     *     most_i = (h/e_i)^3 / N.
     *
     * Of the requests that contact k of N replicas, less than one in a hundred then waits for one that is empty
     * (e = 1, k/N up to 2/3), so that their p99 stays that of a hit; with e_i up to h it may have an equal share. A
     * lower power would let more of them wait at first, a higher one many at once in the end.
     *
     * That is so while all reads together keep the disks of the others busy for BUSY_FEW of the time at most. From
     * BUSY_MANY on shares are by cost alone, and between the two in between. The requests are those of all tables. A
     * disk counts as one that serves as many reads side by side as the others tell of theirs, the least of them. Where
     * that is wrong the others go on as they did while the node was down.
     *
     * With k = 1 a coordinator that is a replica reads alone, and sends no message that could be copied.
     */
    private static final double FEW_MISSES = 0.24;
    private static final double BUSY_FEW = 0.4;
    private static final double BUSY_MANY = 0.6;

    private SparedReplicas() {}

    /**
     * The most that each replica gets, 1/k or less; together they are one at least.
     *
     * @param heats one per replica, known and of one kind
     * @param standings one per replica; those that are warmed are spared
     * @param shares those that the replicas would have if none were spared
     * @param requestsPerSecond that the replicas coordinate, for all tables, over the reads that a disk serves side by
     *     side; 0 where it is not known: none is spared
     * @param k replicas contacted per read
     */
    static double[] most(
            Heat[] heats,
            Standing[] standings,
            double[] shares,
            double requestsPerSecond,
            int k,
            BalanceSettings settings) {
        double[] most = Shares.mostOfAny(heats.length, k);
        int others = 0;
        double misses = 0;
        double seconds = 0;
        for (int i = 0; i < heats.length; i++) {
            if (standings[i] != Standing.WARMED) {
                others++;
                misses += missesPerRead(heats[i], settings);
                seconds += LeastShares.secondsOfDisk(heats[i], settings);
            }
        }
        if (k == 1 || others < k || requestsPerSecond <= 0) {
            return most;
        }
        double busy = seconds / others * k * requestsPerSecond / others;
        double spared = Math.max(0, Math.min(1, (BUSY_MANY - busy) / (BUSY_MANY - BUSY_FEW)));
        for (int i = 0; i < heats.length; i++) {
            double more = missesPerRead(heats[i], settings) - misses / others;
            if (standings[i] == Standing.WARMED && more > FEW_MISSES) {
                double few = Math.pow(FEW_MISSES / more, 3) / heats.length;
                most[i] = shares[i] - spared * Math.max(0, shares[i] - few);
            }
        }
        return most;
    }

    /** A cost or a time counts as so many misses as take as long. */
    private static double missesPerRead(Heat heat, BalanceSettings settings) {
        double cost = ReplicaCosts.of(heat, settings);
        return heat.kind() == Heat.Kind.MISS_RATIO ? cost : Math.min(1, cost / settings.coldReadNanos());
    }
}
