// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class LatestRoundTripsTest {
    private static final long MS = 1_000_000;

    private final RoundTripTail tail = new RoundTripTail();

    private void second(int answers, long nanos) {
        for (int i = 0; i < answers; i++) {
            tail.record(nanos);
        }
        tail.fold(1, 1, Long.MAX_VALUE);
    }

    @Test
    void fewerThanTenAnswersTellNothing() {
        second(9, 5 * MS);
        assertEquals(-1, tail.latest().nanos(0.5));
        assertEquals(-1, tail.latest().partAbove(MS));
        second(5, 5 * MS);
        assertEquals(1, tail.latest().partAbove(MS));
    }

    /** Half of the answers are new after a little more than two seconds: e^-2/3 is a half. */
    @Test
    void itFollowsWithinSeconds() {
        for (int second = 0; second < 60; second++) {
            second(100, 5 * MS);
        }
        second(100, 50 * MS);
        second(100, 50 * MS);
        assertTrue(tail.latest().nanos(0.5) < 10 * MS);
        second(100, 50 * MS);
        assertTrue(tail.latest().nanos(0.5) >= 50 * MS);
        assertTrue(tail.latest().nanos(0.25) < 10 * MS);
    }

    @Test
    void theLastSecondTellsByItselfWhatItsAnswersTook() {
        second(100, 5 * MS);
        second(19, 50 * MS);
        assertEquals(-1, tail.latest().partAboveAtLast(10 * MS), "few answers");
        assertEquals(-1, tail.latest().nanosAtLast(0.25));
        second(20, 50 * MS);
        assertEquals(1, tail.latest().partAboveAtLast(10 * MS));
        assertTrue(tail.latest().nanosAtLast(0.25) >= 50 * MS);
        assertTrue(tail.latest().nanos(0.25) < 10 * MS);
        assertTrue(tail.latest().partAbove(10 * MS) < 0.5);
        second(100, 5 * MS);
        assertEquals(0, tail.latest().partAboveAtLast(10 * MS));
        tail.beginLatest();
        assertEquals(-1, tail.latest().partAboveAtLast(10 * MS));
    }

    @Test
    void whatWasSeenUntilItBeginsAnewIsNotCounted() {
        second(100, 50 * MS);
        for (int i = 0; i < 100; i++) {
            tail.record(50 * MS);
        }
        tail.beginLatest();
        assertEquals(-1, tail.latest().partAbove(MS));
        second(100, 50 * MS);
        assertEquals(-1, tail.latest().partAbove(MS), "nor what comes until the second ends");
        second(100, 5 * MS);
        assertEquals(0, tail.latest().partAbove(10 * MS));
    }

    @Property(tries = 300, seed = "73")
    void partsAreThoseOfTheAnswersButForTheWidthOfABucket(
            @ForAll @Size(min = 10, max = 80) List<@LongRange(min = 100_000, max = 4_000_000_000L) Long> answers,
            @ForAll @LongRange(min = 100_000, max = 4_000_000_000L) long nanos) {
        RoundTripTail own = new RoundTripTail();
        answers.forEach(own::record);
        own.fold(1, 1, Long.MAX_VALUE);
        double above = answers.stream().filter(each -> each > nanos).count() / (double) answers.size();
        double farAbove = answers.stream().filter(each -> each > 1.25 * nanos).count() / (double) answers.size();
        double found = own.latest().partAbove(nanos);
        assertTrue(found <= above + 1e-9 && found >= farAbove - 1e-9, farAbove + " " + found + " " + above);
        long half = own.latest().nanos(0.5);
        long[] sorted = answers.stream().mapToLong(Long::longValue).sorted().toArray();
        long least = sorted[(sorted.length - 1) / 2];
        long most = sorted[sorted.length / 2];
        assertTrue(half >= least && half <= 1.25 * most + 1, half + " of " + least + " to " + most);
    }
}
