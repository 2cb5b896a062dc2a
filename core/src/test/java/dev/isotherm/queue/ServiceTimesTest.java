// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** The service time of a message, measured by the counts of a stage. */
class ServiceTimesTest {
    private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final ServiceTimes times = new ServiceTimes(0, 0);
    private long now;
    private long served;
    private int active;

    @Test
    void whatIsServedTellsHowLongOneTakes() {
        samples(400, 4, 10);
        assertTakes(4 * STEP_NANOS / 10);
    }

    /** Little's law, for a steady stage. */
    @Property(tries = 200, seed = "117")
    void theMeanIsWhatIsServedNowOverWhatIsServedInATime(
            @ForAll @IntRange(min = 1, max = 64) int active, @ForAll @IntRange(min = 1, max = 200) int servedEach) {
        // jqwik reuses the test object for all tries.
        ServiceTimes steady = new ServiceTimes(0, 0);
        for (int i = 1; i <= 2_000; i++) {
            steady.sample(active, (long) i * servedEach, i * STEP_NANOS);
        }
        assertEquals((double) active * STEP_NANOS / servedEach, steady.nanos(false), STEP_NANOS * 1e-3);
    }

    @Test
    void whatWasServedBeforeSaysNothing() {
        ServiceTimes late = new ServiceTimes(1_000_000, 0);
        late.sample(1, 1_000_000, STEP_NANOS);
        late.sample(1, 1_000_001, 2 * STEP_NANOS);
        assertEquals(STEP_NANOS, late.nanos(false));
    }

    @Test
    void messagesThatDoNotEndCountForAsLongAsTheyHaveTakenSoFar() {
        samples(400, 4, 10);
        samples(1, 4, 0);
        assertTakes(4 * STEP_NANOS / 10, "just begun, for all that is known");
        samples(59, 4, 0);
        assertTakes(59 * STEP_NANOS);
    }

    /** Otherwise a slow node, which leads nothing, would never show that it is fast again. */
    @Test
    void anIdleNodeIsTriedAgainWithOneMessage() {
        samples(400, 4, 1);
        samples(19, 0, 0);
        assertTakes(4 * STEP_NANOS);
        samples(1, 0, 0);
        assertEquals(0, nanos());
        samples(1, 1, 0);
        assertTakes(4 * STEP_NANOS, "a second message before the first has ended");
        samples(1, 0, 1);
        assertTakes(STEP_NANOS / 2, "what it took now, not then");
    }

    /** With half of its time it would seem to have a short queue, and lead what it coordinates. */
    @Test
    void aNodeThatIsStillSlowSaysHowSlowAfterOneMessage() {
        samples(400, 4, 1);
        samples(20, 0, 0);
        samples(4, 1, 0);
        samples(1, 0, 1);
        assertTakes(4 * STEP_NANOS);
    }

    @Test
    void aNodeThatIsStillSlowIsTriedAgainLaterEachTimeUpToSixteenSeconds() {
        samples(400, 4, 1);
        int[] seconds = {1, 2, 4, 8, 16, 16};
        for (int patience : seconds) {
            samples(20 * patience - 1, 0, 0);
            assertTrue(nanos() > STEP_NANOS, () -> "within " + patience + " s");
            samples(1, 0, 0);
            assertEquals(0, nanos(), "after " + patience + " s");
            samples(4, 1, 0);
            samples(1, 0, 1);
        }
    }

    @Test
    void aNodeThatLeadsAgainIsTriedAgainAfterASecond() {
        samples(400, 4, 1);
        samples(20, 0, 0);
        samples(4, 1, 0);
        samples(1, 0, 1);
        samples(400, 4, 1);
        samples(20, 0, 0);
        assertEquals(0, nanos());
    }

    @Test
    void aNodeThatHasServedNothingYetSaysSo() {
        samples(10, 0, 0);
        assertEquals(0, nanos());
    }

    /** A process that stood still served nothing, and no message took the time of it. */
    @Test
    void aPauseOfTheProcessIsNoServiceTime() {
        samples(400, 1, 5);
        now += TimeUnit.SECONDS.toNanos(30);
        samples(1, 1, 1);
        assertTrue(nanos() < 10 * STEP_NANOS / 5, () -> nanos() + " ns");
        samples(20, 1, 5);
        assertTrue(nanos() < 2 * STEP_NANOS / 5, () -> nanos() + " ns");
    }

    /** While nothing is measured a node may serve millions: they do not seem to have taken the time of one sample. */
    @Test
    void whatIsServedUnseenIsNotTakenForQuick() {
        samples(400, 32, 26);
        long nanosEach = 32 * STEP_NANOS / 26;
        now += TimeUnit.HOURS.toNanos(1);
        served += 1_900_000;
        samples(1, 32, 26);
        for (int i = 0; i < 100; i++) {
            samples(1, 32, 26);
            assertTrue(nanos() > nanosEach / 2, () -> nanos() + " ns");
        }
        assertEquals(nanosEach, nanos(), nanosEach / 20);
    }

    /** Such as one for a collection of garbage. */
    @Test
    void aShortPauseIsNoServiceTimeEither() {
        samples(400, 4, 1);
        now += TimeUnit.MILLISECONDS.toNanos(1_500);
        samples(1, 4, 1);
        assertTrue(nanos() < 1.2 * 4 * STEP_NANOS, () -> nanos() + " ns");
    }

    @Test
    void aNegativeNumberOfMessagesIsRefused() {
        assertEquals(
                "active is -1; allowed: 0 or above",
                assertThrows(IllegalArgumentException.class, () -> times.sample(-1, 0, 1))
                        .getMessage());
    }

    private void assertTakes(long nanos) {
        assertTakes(nanos, "");
    }

    private void assertTakes(long nanos, String when) {
        assertEquals(nanos, nanos(), nanos * 1e-3, when);
    }

    private long nanos() {
        return times.nanos(active == 0);
    }

    private void samples(int count, int active, int servedEach) {
        this.active = active;
        for (int i = 0; i < count; i++) {
            now += STEP_NANOS;
            served += servedEach;
            times.sample(active, served, now);
        }
    }
}
