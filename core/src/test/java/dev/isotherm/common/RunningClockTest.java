// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.common;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class RunningClockTest {
    private static final long MOST = 200;
    /** So often it is seen to change: two threads on one processor see it once in each turn. */
    private static final int CHANGES = 100;

    private final RunningClock clock = new RunningClock(MOST, 150, 1_000);

    @Test
    void itRunsWhileItTicks() {
        for (long now = 1_000; now <= 3_000; now += MOST) {
            assertEquals(now, clock.running(now));
            assertEquals(0, clock.tick(now));
        }
    }

    @Test
    void itStandsStillFromTheMostAfterATickOn() {
        assertEquals(1_200, clock.running(1_200));
        assertEquals(1_200, clock.running(5_000));
    }

    @Test
    void aPauseCountsAsLittleAsItIsToldTo() {
        assertEquals(4_000 - 150, clock.tick(5_000));
        assertEquals(1_150, clock.running(5_000));
        assertEquals(1_160, clock.running(5_010));
        assertEquals(0, clock.tick(5_010));
        assertEquals(201 - 150, clock.tick(5_211));
        assertEquals(1_310, clock.running(5_211), "a second pause comes on top");
    }

    /** A thread that has read the time and is then paused with the process comes with an instant from before it. */
    @Test
    void anInstantFromBeforeAPauseIsTheEndOfThePause() {
        clock.tick(1_100);
        assertEquals(1_050, clock.running(1_050), "no pause");
        clock.tick(5_000);
        assertEquals(1_250, clock.running(1_099));
        clock.tick(5_100);
        assertEquals(1_350, clock.running(5_100));
        assertEquals(1_300, clock.running(5_050));
        assertEquals(1_250, clock.running(1_099));
    }

    /** System.nanoTime() may begin anywhere. */
    @Test
    void itRunsOnWhereItsNumbersWrapAfterAPause() {
        long now = Long.MAX_VALUE - 1_000;
        RunningClock wraps = new RunningClock(MOST, 150, now);
        now += 500;
        assertEquals(500 - 150, wraps.tick(now));
        long running = wraps.running(now);
        for (int tick = 1; tick <= 20; tick++) {
            now += 100;
            wraps.tick(now);
            assertEquals(running + 100L * tick, wraps.running(now));
        }
    }

    /** Beside the exact sum of what ran between ticks. */
    @Property(seed = "101")
    void whatRanIsTheSumOfTheTicksThatCameInTime(
            @ForAll @Size(min = 1, max = 50) List<@LongRange(min = 0, max = 1_000) Long> gaps) {
        RunningClock whole = new RunningClock(MOST, MOST, 0);
        long now = 0;
        long ran = 0;
        for (long gap : gaps) {
            now += gap;
            ran += Math.min(gap, MOST);
            assertEquals(ran, whole.running(now), "before the tick");
            assertEquals(Math.max(0, gap - MOST), whole.tick(now));
            assertEquals(ran, whole.running(now));
        }
    }

    /** Whoever reads it beside the ticks never sees it go back, nor ahead by more than may pass between two of them. */
    @Test
    void itNeverGoesBackForWhoReadsItMeanwhile() throws InterruptedException {
        RunningClock whole = new RunningClock(MOST, MOST, 0);
        AtomicLong now = new AtomicLong();
        AtomicLong ran = new AtomicLong();
        AtomicInteger changes = new AtomicInteger();
        Thread ticks = new Thread(() -> {
            // On until the time was seen to change often enough: on busy processors all could pass unseen.
            long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
            for (int tick = 0; tick < 2_000_000 || changes.get() < CHANGES && System.nanoTime() - end < 0; tick++) {
                // Every seventh comes late.
                long gap = tick % 7 == 0 ? 10 * MOST : MOST / 2;
                now.addAndGet(gap);
                whole.tick(now.get());
                ran.addAndGet(Math.min(gap, MOST));
            }
        });
        ticks.start();
        long last = 0;
        while (ticks.isAlive()) {
            long present = whole.running(now.get());
            assertTrue(present >= last, "it went back");
            if (present > last) {
                changes.incrementAndGet();
            }
            last = present;
        }
        ticks.join();
        assertTrue(changes.get() >= CHANGES, "it was hardly seen to change");
        assertEquals(ran.get(), whole.running(now.get()));
    }
}
