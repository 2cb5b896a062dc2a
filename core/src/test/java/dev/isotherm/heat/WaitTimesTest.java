// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class WaitTimesTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long ROUND = SECOND / 5;
    private static final long FIRST = 10_000_000;
    private static final long SERVICE = 4_000_000;
    /** Of a disk that serves one at a time it is a third of what it can, and all: more do not end in a second. */
    private static final int FEW = 60;

    private static final int MANY = 200;

    private final SplittableRandom random = new SplittableRandom(3);
    private long now = -11;
    private final WaitTimes times = new WaitTimes(3 * SECOND, FIRST, now);

    /** So many waits a second, which take from that up to half as long again. */
    private void run(double seconds, int perSecond, long nanos) {
        for (int round = 0; round < seconds * SECOND / ROUND; round++) {
            int waits = (int) (perSecond * ROUND / SECOND);
            for (int i = 0; i < waits; i++) {
                times.add((long) (nanos * (1 + random.nextDouble() / 2)));
            }
            now += ROUND;
            times.settle(waits, waits, ROUND, now);
        }
    }

    private void assertIs(double nanos) {
        // The lower quartile, and the least of many of them.
        assertEquals(1.1 * nanos, times.value(), 0.1 * nanos);
    }

    @Test
    void untilWaitsAreSeenTheyTakeWhatTheSettingsSay() {
        assertEquals(FIRST, times.value(), 0);
        times.settle(0, 0, ROUND, now += ROUND);
        for (int i = 0; i < 7; i++) {
            times.add(SERVICE);
        }
        times.settle(7, 7, ROUND, now += ROUND);
        assertEquals(FIRST, times.value(), 0, "seven say little");
    }

    @Test
    void aQueueWithoutAnEndIsNotTheDisksTimeForTwentySeconds() {
        run(60, FEW, SERVICE);
        run(19, MANY, 10 * SERVICE);
        assertIs(SERVICE);
        run(5, FEW, SERVICE);
        assertIs(SERVICE);
        run(60, MANY, 10 * SERVICE);
        assertIs(10 * SERVICE);
    }

    @Test
    void aStartedProcessThatFindsAQueueTakesTheDiskForTheSettings() {
        run(19, MANY, 10 * SERVICE);
        assertEquals(FIRST, times.value(), 0);
        run(40, FEW, SERVICE);
        assertIs(SERVICE);
    }

    @Test
    void whatWasKnownBeforeASilenceCounts() {
        run(60, 0, 0);
        run(19, MANY, 10 * SERVICE);
        assertEquals(FIRST, times.value(), 1e-6 * FIRST);
        run(40, FEW, SERVICE);
        run(60, 0, 0);
        run(19, MANY, 10 * SERVICE);
        assertIs(SERVICE);
    }

    @Test
    void aBurstIsNoQueueWithoutAnEnd() {
        run(60, FEW, SERVICE);
        for (int i = 0; i < 20; i++) {
            run(0.2, 4 * FEW, 2 * SERVICE);
            run(0.6, 0, 0);
        }
        assertIs(2 * SERVICE);
    }

    /** A disk that serves a read now and then, and many wait: rounds without one say nothing. */
    @Test
    void aDiskThatHardlyServesBecomesSlower() {
        run(60, FEW, SERVICE);
        for (int i = 0; i < 150; i++) {
            run(0.2, 10, 200 * SERVICE);
            run(0.2, 0, 0);
        }
        assertTrue(times.value() > 100 * SERVICE, () -> "" + times.value());
    }

    /** With little to do a disk has no queue for long: it is the disk that takes longer. */
    @Test
    void aDiskThatBecomesSlowerUnderLittleLoadCostsMoreAtOnce() {
        run(60, FEW, SERVICE);
        run(12, FEW, 2 * SERVICE);
        assertIs(2 * SERVICE);
        run(12, FEW, SERVICE);
        assertIs(SERVICE);
    }

    @Test
    void aDiskThatHealsCostsLessAtOnce() {
        run(60, MANY, 10 * SERVICE);
        double slow = times.value();
        run(5, MANY, SERVICE);
        assertTrue(times.value() < 0.4 * slow, () -> slow + " became " + times.value());
    }

    @Test
    void afterASilenceTheLoadIsThatSinceThen() {
        run(60, MANY, SERVICE);
        run(10, 0, 0);
        run(12, FEW, 2 * SERVICE);
        assertIs(2 * SERVICE);
    }

    /** The error of a mean falls as the root of what stands behind it: after four times as long it is half. */
    @Test
    void theMoreWaitsTheLessChanceSpreadsTheirTime() {
        run(60, FEW, SERVICE);
        double early = times.error();
        assertTrue(early > 0 && early < 0.1 * times.value(), early + " ns");
        run(180, FEW, SERVICE);
        assertEquals(0.5, times.error() / early, 0.2);
    }

    @Test
    void theTimeFollowsAnotherSmoothingFromThenOn() {
        WaitTimes slower = new WaitTimes(3 * SECOND, FIRST, now);
        slower.setSmoothing(300 * SECOND);
        for (int round = 0; round < 600; round++) {
            long nanos = round < 550 ? SERVICE : 2 * SERVICE;
            for (int i = 0; i < FEW / 5; i++) {
                times.add(nanos);
                slower.add(nanos);
            }
            now += ROUND;
            times.settle(FEW / 5, FEW / 5, ROUND, now);
            slower.settle(FEW / 5, FEW / 5, ROUND, now);
        }
        assertEquals(2 * SERVICE, times.value(), 0.1 * SERVICE);
        assertTrue(slower.value() < 1.5 * SERVICE, slower.value() + " ns");
    }
}
