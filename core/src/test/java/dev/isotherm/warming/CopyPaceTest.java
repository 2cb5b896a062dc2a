// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.warming;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class CopyPaceTest {
    /** A second of a node that serves at most `capacity` of what its coordinators copy to it. */
    private static double second(CopyPace pace, double fraction, double reads, double capacity) {
        long arrived = Math.round(fraction * reads);
        return pace.settle(arrived, Math.max(0, arrived - Math.round(capacity)));
    }

    @Property(seed = "122")
    void aFewMoreAreAskedForThanAreServed(
            @ForAll @DoubleRange(min = 100, max = 1e6) double reads,
            @ForAll @DoubleRange(min = 20, max = 1e5) double capacity) {
        CopyPace pace = new CopyPace();
        double fraction = CopyPace.FIRST;
        for (int i = 0; i < 60; i++) {
            fraction = second(pace, fraction, reads, capacity);
            if (i >= 30) {
                double most = Math.max(capacity, CopyPace.LEAST * reads);
                assertTrue(fraction * reads >= Math.min(reads, 0.9 * capacity), fraction + " " + i);
                assertTrue(fraction * reads <= 2.2 * most + 2, fraction + " " + i);
            }
        }
    }

    /** Of one that all others are of another version to; and of one that only some are. */
    @Test
    void whoCanReadNoneAsksForEverFewerAndWhoCanReadSomeGoesByThem() {
        CopyPace alone = new CopyPace();
        CopyPace among = new CopyPace();
        double none = CopyPace.FIRST;
        double some = CopyPace.FIRST;
        for (int second = 0; second < 10; second++) {
            none = alone.settle(0, 0, 50);
            some = among.settle(50, 0, 50);
        }
        assertEquals(CopyPace.LEAST, none);
        assertEquals(1, some);
    }

    @Test
    void whatHasRoomForAllGetsAllAfterFourSeconds() {
        CopyPace pace = new CopyPace();
        assertEquals(0.2, pace.settle(10, 0));
        assertEquals(0.4, pace.settle(20, 0));
        assertEquals(0.8, pace.settle(40, 0));
        assertEquals(1, pace.settle(80, 0));
    }

    @Property(seed = "123")
    void thePartStaysWithinItsBounds(
            @ForAll @LongRange(min = 0, max = 1000) long[] arrived,
            @ForAll @LongRange(min = 0, max = 1000) long[] dropped) {
        CopyPace pace = new CopyPace();
        double before = CopyPace.FIRST;
        for (int i = 0; i < Math.min(arrived.length, dropped.length); i++) {
            double after = pace.settle(arrived[i], Math.min(arrived[i], dropped[i]));
            assertTrue(after >= CopyPace.LEAST && after <= 1, () -> "" + after);
            assertTrue(after >= before / 2 && after <= 2 * before, before + " to " + after);
            before = after;
        }
        pace.reset();
        assertEquals(2 * CopyPace.FIRST, pace.settle(0, 0));
    }
}
