// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.share;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The partitions of a saturated pool that are large enough for decisions about them. */
final class LargePartitions {
    private static final double DROPPED_SHARE = FairShare.LEAST_SHARE / 4;
    private static final int MOST = (int) (1 / FairShare.WATCHED_SHARE);

    private LargePartitions() {}

    /**
     * Those that were watched and are still large, and those that have become large, the largest first. Of those that
     * are no longer the listener hears.
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
            } else if (partition.leaves()) {
                listener.ended(partition);
            }
        }
        List<WatchedPartition> found = new ArrayList<>();
        times.forEach((id, nanos, operations) -> {
            double busy = Math.min(threads, nanos * 1e-9 * perSecond);
            if (busy >= FairShare.WATCHED_SHARE * threads && isNew(id, present) && isNew(id, found)) {
                found.add(new WatchedPartition(id, busy));
            }
        });
        found.sort(Comparator.comparingDouble((WatchedPartition partition) -> partition.demand.most())
                .reversed());
        present.addAll(found.subList(0, Math.min(found.size(), MOST - present.size())));
        return present.toArray(new WatchedPartition[0]);
    }

    private static boolean isNew(long id, List<WatchedPartition> partitions) {
        return partitions.stream().noneMatch(partition -> partition.partition() == id);
    }
}
