// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class RoundTripsTest {
    private final RoundTrips trips = new RoundTrips();

    @Test
    void theLeastOfTheLastTimedOnesCounts() {
        assertTrue(Double.isNaN(trips.leastNanos()));
        for (int i = 1; i <= 64; i++) {
            trips.sent(16L * i, 1000 * i);
            trips.answered(16L * i, 1000 * i + 100 + i);
        }
        assertEquals(101, trips.leastNanos());
        trips.sent(16 * 65, 0);
        trips.answered(16 * 65, 500);
        assertEquals(102, trips.leastNanos(), "the first is no longer among the last");
    }

    @Test
    void othersAreNotTimed() {
        trips.sent(17, 0);
        trips.answered(17, 5);
        trips.answered(32, 5);
        trips.answered(0, 5);
        assertTrue(Double.isNaN(trips.leastNanos()));
        trips.sent(16, 0);
        trips.sent(16 + 16 * 64, 100);
        trips.answered(16, 101);
        assertTrue(Double.isNaN(trips.leastNanos()), "forgotten for a later one");
        trips.answered(16 + 16 * 64, 107);
        trips.answered(16 + 16 * 64, 108);
        assertEquals(7, trips.leastNanos());
    }

    /** Two threads that send and answer messages of the same slot never time one by the other's beginning. */
    @Test
    void messagesOfOneSlotAreNotMistakenForEachOther() throws InterruptedException {
        AtomicBoolean ended = new AtomicBoolean();
        Thread sender = new Thread(() -> {
            for (long i = 1; !ended.get(); i++) {
                trips.sent(16 * 64 * i, 1_000_000 * i);
            }
        });
        sender.start();
        for (long i = 1; i < 2_000_000; i++) {
            trips.answered(16 * 64 * i, 1_000_000 * i + 10);
        }
        ended.set(true);
        sender.join();
        double least = trips.leastNanos();
        assertTrue(Double.isNaN(least) || least == 10, () -> "least: " + least);
    }
}
