// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import java.util.stream.IntStream;

/**
 * What a read costs each replica of a group, as shares under {@link Placement#AFFINITY} count it: a replica that was
 * left out of reads gets none of the others' when it is back, if their disks bear them.
 */
final class AffineCosts {
    /*
     * Shares by cost take it that the next read a replica gets misses as often as its last ones did. Under local it
     * does: all replicas cache parts of the same rows. Under affinity each caches those of its own partitions. After
     * one of three nodes was left out of reads for a while, the two others have served its partitions with theirs, and
     * miss a third of their reads; it still has its rows, and misses a tenth. By cost it would get half of all contacts
     * then, miss what it had not cached, and drop what it had for it; and the two would have fewer reads to fetch their
     * own rows again.
     *
     * So for as long as it stands as left out it costs as much as the median of the others does, if it costs less: it
     * gets no more than they do, or an equal share. A replica that always costs less, as its disk is quicker or its
     * cache larger, gets its share by its cost, and so does one that served the others' partitions while these were
     * away.
     *
     * That is so while an equal share keeps the disk of that median busy for BUSY_FEW of the time at most. From
     * BUSY_MANY on the costs stand as they are, and between the two in between, by a power of what it costs less. As
     * with least shares, a disk counts as one that serves one read at a time, and the requests are those of all tables.
     * What such a disk takes is told with the time that reads wait for each other: it then has time left at BUSY_MANY.
     */
    private static final double BUSY_FEW = 0.8;
    private static final double BUSY_MANY = 1.2;

    private AffineCosts() {}

    /**
     * The costs that count.
     *
     * @param costs one per replica, 0 to 1; below the settings' miss floor they count as that
     * @param heats what they were reckoned from
     * @param standings one per replica
     * @param requestsPerSecond that the replicas coordinate, for all tables; 0 where it is not known: the costs stand
     * @param k replicas contacted per read
     * @return one per replica; of those left out as high as its own or higher, of the others their own
     */
    static double[] of(
            double[] costs,
            Heat[] heats,
            Standing[] standings,
            double requestsPerSecond,
            int k,
            BalanceSettings settings) {
        int[] others = IntStream.range(0, costs.length)
                .filter(i -> standings[i] != Standing.LEFT_OUT)
                .toArray();
        if (requestsPerSecond <= 0 || others.length == costs.length || others.length == 0) {
            return costs;
        }
        double seconds =
                LowerMedian.of(IntStream.of(others).mapToDouble(i -> LeastShares.secondsOfDisk(heats[i], settings)));
        double busy = seconds * k * requestsPerSecond / costs.length;
        double part = Math.max(0, Math.min(1, (BUSY_MANY - busy) / (BUSY_MANY - BUSY_FEW)));
        double median = LowerMedian.of(IntStream.of(others).mapToDouble(i -> costs[i]));
        double[] counting = costs.clone();
        for (int i = 0; i < costs.length; i++) {
            double cost = Math.max(settings.missFloor(), costs[i]);
            if (standings[i] == Standing.LEFT_OUT && cost < median && part > 0) {
                counting[i] = part == 1 ? median : cost * Math.pow(median / cost, part);
            }
        }
        return counting;
    }
}
