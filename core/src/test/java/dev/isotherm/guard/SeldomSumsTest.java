// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.lifecycle.BeforeTry;

/** Local reads of which the sums are taken at one observation in five, beside the same with a sum at each. */
class SeldomSumsTest {
    private static final long MS = 1_000_000;
    private static final long INTERVAL = 50 * MS;
    private static final long USUAL = 10 * MS;
    private static final int OBSERVATIONS_PER_SUM = ReadStageLooks.LOOKS / 2;
    private static final int OBSERVATIONS = 8 * OBSERVATIONS_PER_SUM;

    private LocalReads always;
    private LocalReads seldom;
    private final Evidence seenAlways = new Evidence();
    private final Evidence seenSeldom = new Evidence();
    private long now;
    private long reads;
    private long nanos;
    private long summedReads;
    private long summedNanos;

    /** Of each try. */
    @BeforeTry
    void begin() {
        always = new LocalReads(GuardSettings.defaults());
        seldom = new LocalReads(GuardSettings.defaults());
        now = 0;
        reads = 0;
        nanos = 0;
        summedReads = 0;
        summedNanos = 0;
    }

    private void interval(int tasks, int ended, long nanosEach, boolean isSummed) {
        now += INTERVAL;
        reads += ended;
        nanos += ended * nanosEach;
        if (isSummed) {
            summedReads = reads;
            summedNanos = nanos;
        }
        always.observe(tasks, reads, nanos, 0, 0, now);
        seldom.observe(tasks, summedReads, summedNanos, 0, 0, now);
        always.see(seenAlways, now);
        seldom.see(seenSeldom, now);
    }

    /** What the observations hold together decides, however many of them bring it. */
    @Property(tries = 300, seed = "61")
    void whenTheirSumsAreTakenTheyAreJudgedAlike(
            @ForAll @Size(OBSERVATIONS) List<@IntRange(min = 0, max = 4) Integer> ended,
            @ForAll @Size(OBSERVATIONS) List<@IntRange(min = 0, max = 9) Integer> tasks,
            @ForAll @IntRange(min = 1, max = 12) int times) {
        for (int second = 0; second < 60; second++) {
            for (int i = 1; i <= 20; i++) {
                interval(1, 5, USUAL, i % OBSERVATIONS_PER_SUM == 0);
            }
            always.learn(true);
            seldom.learn(true);
        }
        assertEquals(4 * USUAL, always.patienceNanos(), 10);
        assertEquals(4 * USUAL, seldom.patienceNanos(), 10);
        for (int i = 1; i <= OBSERVATIONS; i++) {
            boolean isSummed = i % OBSERVATIONS_PER_SUM == 0;
            interval(tasks.get(i - 1), ended.get(i - 1), times * USUAL, isSummed);
            if (isSummed) {
                assertEquals(seenAlways.overdue, seenSeldom.overdue, "after " + i);
                assertEquals(seenAlways.hangs, seenSeldom.hangs);
                assertEquals(seenAlways.silent, seenSeldom.silent);
            }
        }
    }

    /** Reads that become slow, and reads of which none ends, are seen at most four observations later. */
    @Property(tries = 100, seed = "62")
    void slowOnesAreSeenLittleLater(@ForAll @IntRange(min = 5, max = 12) int times, @ForAll boolean hang) {
        for (int i = 1; i <= 1200; i++) {
            interval(1, 5, USUAL, i % OBSERVATIONS_PER_SUM == 0);
        }
        always.learn(true);
        seldom.learn(true);
        int seenAt = 0;
        int seenSeldomAt = 0;
        for (int i = 1; i <= 3 * ReadStageLooks.LOOKS; i++) {
            interval(8, hang ? 0 : 5, times * USUAL, i % OBSERVATIONS_PER_SUM == 0);
            seenAt = seenAt == 0 && seenAlways.isBad() ? i : seenAt;
            seenSeldomAt = seenSeldomAt == 0 && seenSeldom.isBad() ? i : seenSeldomAt;
        }
        assertTrue(seenAt > 0);
        assertTrue(seenSeldomAt > 0 && seenSeldomAt < seenAt + OBSERVATIONS_PER_SUM, seenSeldomAt + ", " + seenAt);
    }
}
