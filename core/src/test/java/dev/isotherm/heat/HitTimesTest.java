// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class HitTimesTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long ROUND = SECOND / 5;
    private static final long WAIT = 10_000_000;
    private static final long HIT = 200_000;
    private static final int HITS = 40;

    private final SplittableRandom random = new SplittableRandom(5);
    private long now = -13;
    private final HitTimes times = new HitTimes(3 * SECOND, now);

    /** Each round so many hits, which take from that up to half as long again. */
    private void run(double seconds, long nanos) {
        for (int round = 0; round < seconds * SECOND / ROUND; round++) {
            for (int i = 0; i < HITS; i++) {
                times.add((long) (nanos * (1 + random.nextDouble() / 2)));
            }
            now += ROUND;
            times.settle(HITS, WAIT, now);
        }
    }

    @Test
    void withoutAQueueAHitCostsWhatItTakes() {
        assertEquals(0, times.value(), 0);
        assertEquals(0, times.cost(), 0);
        run(30, HIT);
        assertEquals(1.125 * HIT, times.value(), 0.05 * HIT, "the lower quartile");
        assertEquals(times.value(), times.cost(), 0);
    }

    @Test
    void aQueueCostsAtMostAWaitForTheDiskThoughHitsTakeLonger() {
        run(30, HIT);
        run(60, 10 * WAIT);
        assertEquals(11.25 * WAIT, times.value(), 0.5 * WAIT);
        assertEquals(WAIT, times.cost(), 0.01 * WAIT);
    }

    /** The error of a mean falls as the root of what stands behind it: after four times as long it is half. */
    @Test
    void theMoreHitsTheLessChanceSpreadsTheCost() {
        run(60, HIT);
        double early = times.costError();
        assertTrue(early > 0 && early < 0.1 * times.cost(), early + " ns");
        run(180, HIT);
        assertEquals(0.5, times.costError() / early, 0.2);
    }

    @Test
    void anotherSmoothingHoldsForWhatHitsTakeAndForWhatTheyCost() {
        HitTimes slower = new HitTimes(3 * SECOND, now);
        slower.setSmoothing(300 * SECOND);
        for (int round = 0; round < 600; round++) {
            for (int i = 0; i < HITS; i++) {
                long nanos = round < 550 ? 10 * HIT : 12 * HIT;
                times.add(nanos);
                slower.add(nanos);
            }
            now += ROUND;
            times.settle(HITS, WAIT, now);
            slower.settle(HITS, WAIT, now);
        }
        assertEquals(12 * HIT, times.value(), 0.1 * HIT);
        assertEquals(12 * HIT, times.cost(), 0.1 * HIT);
        assertTrue(slower.value() < 11.5 * HIT, slower.value() + " ns");
        assertTrue(slower.cost() < 11.5 * HIT, slower.cost() + " ns");
    }
}
