// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

/**
 * The share of a replica group's contacts that each replica gets at least: what half of its disk bears. A cold node
 * beside warm ones that miss hardly anything would otherwise stay cold for long, with a disk that is hardly used.
 */
final class LeastShares {
    /*
     * Each row that is not cached has to be read from the disk once, at whichever pace: while the disk's queue is
     * short, more reads make a node warm sooner and cost the clients no more in all. A replica whose read takes c
     * seconds of its disk bears 1/(2c) reads a second on half of it; the group's requests R are k R contacts, so
     *
     *     least_i = min(b_i/N, 1/(2 c_i k R)),
     *
     * with a bound b_i. Where there are few requests, a disk bears all of them; but those that wait for it are then
     * most. With misses m_i, b_i = min(1, 1/(2 m_i)): of k of N replicas that a request contacts, one that is cold
     * makes fewer than half of the requests wait for a miss, and the median stays that of a hit.
     *
     * Like the shares by cost, 1/(2c) is in inverse proportion to the cost: where those let disks be more than half
     * busy, the least shares change nothing. A disk counts as one that serves one read at a time. R are the requests
     * for all tables, as these share the disk.
     *
     * A miss ratio does not say how long a miss takes: it counts as the settings' cold read. A cost or a time does not
     * say whether a node is cold or its disk is slow. A slow disk should not get many reads only because it bears
     * them: b_i = 1/2. But up to the settings' warm read w a read counts as one from memory: what it takes more than
     * on another node is that of a process that has just started, or of the last rows that are not cached. There
     * b_i = 1, and between, for costs up to 2w, it is w/c_i.
     */
    private static final double PART_OF_DISK = 0.5;
    private static final double PART_OF_EQUAL = 0.5;

    private LeastShares() {}

    /**
     * The least shares.
     *
     * @param heats one per replica, known and of one kind
     * @param requestsPerSecond that the replicas coordinate, for all tables; 0 where it is not known
     * @param k replicas contacted per read
     * @return one per replica, 0 to an equal share; 0 for all where the requests are not known
     */
    static double[] of(Heat[] heats, double requestsPerSecond, int k, BalanceSettings settings) {
        double[] least = new double[heats.length];
        if (requestsPerSecond > 0) {
            for (int i = 0; i < least.length; i++) {
                double borne = PART_OF_DISK / secondsOfDisk(heats[i], settings);
                least[i] = Math.min(partOfEqual(heats[i], settings) / least.length, borne / (k * requestsPerSecond));
            }
        }
        return least;
    }

    private static double partOfEqual(Heat heat, BalanceSettings settings) {
        if (heat.kind() == Heat.Kind.MISS_RATIO) {
            return Math.min(1, PART_OF_EQUAL / heat.value());
        }
        return Math.min(1, Math.max(PART_OF_EQUAL, settings.warmReadNanos() / heat.value()));
    }

    /** What a read takes of the disk of one that serves one read at a time. */
    static double secondsOfDisk(Heat heat, BalanceSettings settings) {
        double cost = ReplicaCosts.of(heat, settings);
        return (heat.kind() == Heat.Kind.MISS_RATIO ? cost * settings.coldReadNanos() : cost) / 1e9;
    }
}
