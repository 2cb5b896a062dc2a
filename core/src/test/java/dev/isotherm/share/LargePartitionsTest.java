// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.share;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which partitions of a pool of 32 threads are watched where more are large than can be. */
class LargePartitionsTest {
    private static final int THREADS = 32;
    private static final int MOST = LargePartitions.MOST;

    private final ServedTime times = new ServedTime(1024, 1);
    private final List<Long> ended = new ArrayList<>();
    private final FairShare.Listener listener = new FairShare.Listener() {
        @Override
        public void began(WatchedPartition partition) {}

        @Override
        public void ended(WatchedPartition partition) {
            ended.add(partition.partition());
        }
    };

    /** The ids 1 to MOST, which ask for so many threads each, and may hold so many. */
    private static WatchedPartition[] watched(double asked, double mayHold) {
        WatchedPartition[] watched = new WatchedPartition[MOST];
        for (int i = 0; i < MOST; i++) {
            watched[i] = new WatchedPartition(i + 1, asked);
            watched[i].admit(mayHold, THREADS);
            watched[i].begins();
        }
        return watched;
    }

    private List<Long> after(WatchedPartition[] watched) {
        List<Long> ids = new ArrayList<>();
        for (WatchedPartition partition : LargePartitions.of(times, watched, THREADS, 1, listener)) {
            ids.add(partition.partition());
        }
        assertEquals(MOST, ids.size());
        assertEquals(MOST, ids.stream().distinct().count());
        return ids;
    }

    private void holds(long partition, double threads) {
        times.add(partition, (long) (threads * 1e9));
    }

    @Test
    void whoHoldsMoreTakesThePlaceOfTheLeast() {
        WatchedPartition[] watched = watched(0.04 * THREADS, THREADS);
        watched[6] = new WatchedPartition(7, 0.035 * THREADS);
        holds(7, 0.035 * THREADS);
        holds(99, 0.6 * THREADS);
        List<Long> after = after(watched);
        assertTrue(after.contains(99L));
        assertFalse(after.contains(7L));
        assertEquals(List.of(), ended, "it was not cut");
    }

    @Test
    void whoIsCutIsAsLargeAsWhatItAsksFor() {
        WatchedPartition[] watched = watched(0.25 * THREADS, 0.125 * THREADS);
        for (int i = 1; i <= MOST; i++) {
            holds(i, 0.125 * THREADS);
        }
        holds(99, 0.3 * THREADS);
        assertFalse(after(watched).contains(99L), "it holds more than each, and hardly more than each asks for");
        assertEquals(List.of(), ended);
        holds(99, 0.2 * THREADS);
        assertTrue(after(watched).contains(99L));
        assertEquals(1, ended.size(), "the one that has left is cut no longer");
    }

    @Test
    void ofThoseThatAreFoundTheLargestAreWatched() {
        for (int i = 1; i <= 3 * MOST; i++) {
            holds(i, (0.1 + 0.001 * i) * THREADS);
        }
        List<Long> after = after(new WatchedPartition[0]);
        assertTrue(after.stream().allMatch(id -> id > 2 * MOST), after + "");
    }

    /** Twenty were large for half a second each, while reads wait; none of them is small enough to be let go of. */
    @Test
    void aPartitionIsCutHoweverManyHaveBeenLargeBefore() {
        FairShare shares = new FairShare(1024, 1, listener, VirtualPool.unpaused(), 0);
        double[] asks = new double[22];
        Arrays.fill(asks, 1, 21, 0.04);
        int look = 0;
        for (int large = 1; large <= 21; large++) {
            asks[large] = large == 21 ? 0.6 : 0.15;
            for (int i = 0; i < 5; i++) {
                look(shares, asks, ++look);
            }
            asks[large] = large == 21 ? 0.6 : 0.04;
        }
        for (int i = 0; i < 10; i++) {
            look(shares, asks, ++look);
        }
        WatchedPartition hot = shares.watched(21);
        assertNotNull(hot, "the one that asks for most is watched");
        assertTrue(hot.isCut());
        assertEquals(1, shares.cut().size(), "and no other is cut");
    }

    /** Asks for so much of the pool of each partition, with operations of 5 ms, until the next look. */
    private static void look(FairShare shares, double[] asks, int look) {
        for (int partition = 1; partition < asks.length; partition++) {
            long operations = Math.round(asks[partition] * THREADS * FairShare.INTERVAL_NANOS / 5e6);
            for (int i = 0; i < operations; i++) {
                WatchedPartition watched = shares.watched(partition);
                int number = watched == null ? 0 : watched.nextNumber();
                if (shares.refusing(partition, 1, number, 1) == null) {
                    shares.served(partition, 5_000_000);
                }
            }
        }
        shares.look(20_000_000, THREADS, THREADS, look * FairShare.INTERVAL_NANOS);
    }
}
