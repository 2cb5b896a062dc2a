// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.share;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.common.RunningClock;
import dev.isotherm.common.VirtualTime;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The process stands still, as in a collection of garbage: the reads that its threads serve seem to take as long. */
class SharesAroundPausesTest {
    private static final int THREADS = 32;
    private static final int SMALL = 8;
    private static final int SEEDS = 30;
    private static final double COST = 0.011;

    @ParameterizedTest
    @ValueSource(doubles = {0.15, 0.3, 0.5, 0.8, 1.2, 1.8, 5})
    void aPauseMakesNoSmallPartitionLarge(double pauseSeconds) {
        assertEquals(0, refusedOfSmall(7, pauseSeconds));
    }

    /** What each of them asks for is half of what is large, and by chance now and then is more for a moment. */
    @ParameterizedTest
    @ValueSource(doubles = {0.5, 0.8, 1.2, 1.8, 5})
    void aPauseMakesHardlyOneLargeThatIsNearlySo(double pauseSeconds) {
        assertEquals(0, refusedOfSmall(12, pauseSeconds), 0.004);
    }

    /** The part of the operations on the small partitions that is refused within a second of a pause. */
    private static double refusedOfSmall(double perSecond, double pauseSeconds) {
        double asked = 0;
        double refused = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            VirtualPool pool = hotBesideSmall(perSecond, seed);
            assertTrue(pool.run(3)[0].refused > 0, "the hot one is cut");
            for (int pause = 0; pause < 4; pause++) {
                pool.pause(pauseSeconds);
                VirtualPool.Tally[] tallies = pool.run(1);
                for (int small = 1; small <= SMALL; small++) {
                    asked += tallies[small].asked;
                    refused += tallies[small].refused;
                }
            }
        }
        return refused / asked;
    }

    /** As many reads of one partition under way as its client can have, and a few a second of each of some others. */
    private static VirtualPool hotBesideSmall(double perSecond, int seed) {
        double[] costs = new double[SMALL + 1];
        Arrays.fill(costs, COST);
        VirtualTime time = new VirtualTime();
        VirtualPool pool = new VirtualPool(THREADS, costs, seed, new Unheard(), time);
        pool.disk = new VirtualDisk(time, 2, COST);
        for (int small = 1; small <= SMALL; small++) {
            pool.rate(small, perSecond);
        }
        pool.underWay(0, 1, 96);
        return pool;
    }

    /** What was known before a long pause holds no longer. */
    @Test
    void afterALongPauseNothingIsKnown() {
        RunningClock clock = new RunningClock(FairShare.LATE_NANOS, FairShare.LATE_NANOS, 0);
        FairShare shares = new FairShare(64, 1, new Unheard(), clock, 0);
        long now = 0;
        while (now < 3_000_000_000L) {
            now += FairShare.INTERVAL_NANOS;
            clock.tick(now);
            for (int i = 0; i < 100; i++) {
                shares.refusing(1, 1, i << 25, 1);
            }
            shares.served(1, THREADS * FairShare.INTERVAL_NANOS);
            shares.look(50_000_000, THREADS, THREADS, now);
        }
        assertEquals(1, shares.cut().size());
        now += 2_000_000_001L;
        clock.tick(now);
        shares.served(1, FairShare.INTERVAL_NANOS);
        shares.look(50_000_000, THREADS, THREADS, now);
        assertFalse(shares.isSaturated());
        assertEquals(List.of(), shares.cut());
        assertEquals(0, shares.nanosOf(1));
    }

    /** The queue of a pause is not one of the threads. */
    @Test
    void aLookThatComesLateMakesNothingSaturated() {
        RunningClock clock = new RunningClock(FairShare.LATE_NANOS, FairShare.LATE_NANOS, 0);
        FairShare shares = new FairShare(64, 1, new Unheard(), clock, 0);
        clock.tick(1_000_000_000L);
        shares.look(150_000_000, THREADS, THREADS, 1_000_000_000L);
        assertFalse(shares.isSaturated());
        clock.tick(1_100_000_000L);
        shares.look(FairShare.TARGET_NANOS, THREADS, THREADS, 1_100_000_000L);
        assertFalse(shares.isSaturated(), "up to the target is no sign");
        clock.tick(1_200_000_000L);
        shares.look(FairShare.TARGET_NANOS + 1, THREADS, THREADS, 1_200_000_000L);
        assertTrue(shares.isSaturated());
    }
}
