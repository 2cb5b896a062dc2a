// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.share;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The partitions of a saturated pool that are large enough for decisions about them. */
final class LargePartitions {
    private static final double DROPPED_SHARE = FairShare.LEAST_SHARE / 4;
    /** The most that are watched. */
    static final int MOST = (int) (1 / FairShare.WATCHED_SHARE);

    /**
     * One that is found takes the place of one that is watched if it holds more than so many times what that one asks
     * for: of two that are nearly alike the one that is cut stays so.
     */
    private static final double TAKES_PLACE = 1.25;

    private static final Comparator<WatchedPartition> LARGEST_FIRST =
            Comparator.comparingDouble(LargePartitions::asked).reversed();

    private LargePartitions() {}

    /**
     * Those that were watched and are still large, and those that have become large: of all these the largest, at most
     * {@link #MOST}. Of those that are no longer the listener hears. A partition that is cut is as large as what it
     * asks for, whatever it is left with.
     *
     * @param watched those that were watched
     * @param threads those of the pool that can be busy
     * @param perSecond a sum of {@code times} stands for so much a second
     */
    static WatchedPartition[] of(
            ServedTime times,
            WatchedPartition[] watched,
            double threads,
            double perSecond,
            FairShare.Listener listener) {
        List<WatchedPartition> present = new ArrayList<>();
        for (WatchedPartition partition : watched) {
            if (partition.isCut() || partition.demand.most() > DROPPED_SHARE * threads) {
                present.add(partition);
            } else {
                leave(partition, listener);
            }
        }
        List<WatchedPartition> found = new ArrayList<>();
        times.forEach((id, nanos, operations) -> {
            double busy = Math.min(threads, nanos * 1e-9 * perSecond);
            if (busy >= FairShare.WATCHED_SHARE * threads && isNew(id, present) && isNew(id, found)) {
                found.add(new WatchedPartition(id, busy));
            }
        });
        present.sort(LARGEST_FIRST);
        found.sort(LARGEST_FIRST);
        while (present.size() + found.size() > MOST) {
            if (present.isEmpty() || asked(last(found)) <= TAKES_PLACE * asked(last(present))) {
                found.remove(found.size() - 1);
            } else {
                leave(present.remove(present.size() - 1), listener);
            }
        }
        present.addAll(found);
        return present.toArray(new WatchedPartition[0]);
    }

    private static double asked(WatchedPartition partition) {
        return partition.demand.most();
    }

    private static WatchedPartition last(List<WatchedPartition> partitions) {
        return partitions.get(partitions.size() - 1);
    }

    private static void leave(WatchedPartition partition, FairShare.Listener listener) {
        if (partition.leaves()) {
            listener.ended(partition);
        }
    }

    private static boolean isNew(long id, List<WatchedPartition> partitions) {
        return partitions.stream().noneMatch(partition -> partition.partition() == id);
    }
}
