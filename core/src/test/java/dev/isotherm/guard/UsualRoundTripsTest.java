// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class UsualRoundTripsTest {
    private static final int LAST = RoundTripTail.BUCKETS - 1;
    private static final int QUICK = 20;
    private static final int SLOW = 60;

    private final UsualRoundTrips usual = new UsualRoundTrips();

    private void second(int quick, int slow, double kept) {
        int[] counts = new int[RoundTripTail.BUCKETS];
        counts[QUICK] = quick;
        counts[SLOW] = slow;
        usual.second(counts, kept, 1, LAST);
    }

    private void assertTail(int bucket) {
        // What is told is where the bucket ends, which is in the next one.
        assertEquals(bucket, RoundTripTail.bucketOf(usual.tailNanos() - 1), () -> usual.tailNanos() + " ns");
    }

    @Test
    void theTailIsThatOfTheSlowestInAHundred() {
        assertEquals(-1, usual.tailNanos());
        second(99, 0, 1);
        assertEquals(-1, usual.tailNanos(), "of so few");
        second(101, 0, 1);
        assertTail(QUICK);
        second(200, 40, 1);
        assertTail(SLOW);
    }

    @Test
    void whatIsForgottenIsNotUsualLater() {
        second(200, 0, 1);
        second(200, 40, 1);
        second(0, 200, 1);
        assertTail(SLOW);
        usual.forgetAbove(RoundTripTail.upperEdgeNanos(QUICK) - 1);
        assertTrue(usual.tailNanos() <= RoundTripTail.upperEdgeNanos(QUICK));
        second(100, 0, 1);
        assertTail(QUICK);
    }

    @Test
    void aHardSecondFadesAsTheOthersDo() {
        second(200, 0, 1);
        second(0, 200, 1);
        assertTail(SLOW);
        for (int i = 0; i < 10; i++) {
            second(200, 0, 0.5);
        }
        assertTail(QUICK);
    }
}
