// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.share;

import java.util.ArrayList;
import java.util.List;

/** Gives the threads to the large partitions: each gets what it asks for, but no more than a level common to all. */
final class WaterFilling {
    private WaterFilling() {}

    /**
     * Sets which part of each partition's operations is admitted.
     *
     * @param available the threads that are theirs together
     * @param threads those of the pool that can be busy
     * @param poolThreads all threads of the pool
     * @return how far they are cut
     */
    static Cutting admit(WatchedPartition[] present, double available, double threads, int poolThreads) {
        double asked = 0;
        double left = available;
        List<WatchedPartition> alike = new ArrayList<>();
        for (WatchedPartition partition : present) {
            double demand = partition.demand.threads();
            asked += demand;
            if (partition.mostShare() < 1) {
                left -= Math.min(demand, chosen(partition, threads, poolThreads));
            } else {
                alike.add(partition);
            }
        }
        double fair = MaxMin.level(
                alike.stream()
                        .mapToDouble(partition -> partition.demand.threads())
                        .toArray(),
                left);
        double level = Math.max(fair, FairShare.LEAST_SHARE * poolThreads);
        boolean fits = asked <= available;
        Cutting cuts = Cutting.NONE;
        for (WatchedPartition partition : present) {
            boolean isChosen = partition.mostShare() < 1 && !fits;
            double most = isChosen ? chosen(partition, threads, poolThreads) : level;
            // Where all fits, who holds more than there is has what it holds to end first.
            double mayHold = Math.min(most, Math.max(available, FairShare.LEAST_SHARE * poolThreads));
            partition.admit(mayHold, poolThreads);
            if (partition.isCut()) {
                boolean isLeast = isChosen ? mayHold <= least(partition, poolThreads) : level > fair;
                cuts = cuts.and(isLeast ? Cutting.TO_THE_LEAST : isChosen ? Cutting.BY_CHOICE : Cutting.SOME);
            }
        }
        return cuts;
    }

    /** The threads that a partition may hold by its table's choice: of the whole pool no less than the least share. */
    private static double chosen(WatchedPartition partition, double threads, int poolThreads) {
        return Math.max(partition.mostShare() * threads, least(partition, poolThreads));
    }

    private static double least(WatchedPartition partition, int poolThreads) {
        return Math.min(partition.mostShare(), FairShare.LEAST_SHARE) * poolThreads;
    }
}
