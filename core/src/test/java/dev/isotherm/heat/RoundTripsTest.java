// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class RoundTripsTest {
    private final RoundTrips trips = new RoundTrips();

    /** The id of the n-th message that is timed, 1 or above, of those with that slot; with any for a slot below 0. */
    private static long timed(int n, int slot) {
        long id = 0;
        for (int found = 0; found < n; ) {
            id++;
            found += RoundTrips.isTimed(id) && (slot < 0 || RoundTrips.slot(id) == slot) ? 1 : 0;
        }
        return id;
    }

    @Test
    void oneIdInSixteenIsTimedWhicheverOfThemGoToOtherNodes() {
        for (int every : new int[] {1, 2, 3, 16, 64}) {
            int timed = 0;
            for (long i = 1; i <= 16_000; i++) {
                timed += RoundTrips.isTimed(i * every) ? 1 : 0;
            }
            assertEquals(1000, timed, 100, "each " + every);
        }
    }

    @Test
    void theLeastOfTheLastTimedOnesCounts() {
        assertTrue(Double.isNaN(trips.leastNanos()));
        long first = timed(1, -1);
        for (int i = 1; i <= 64; i++) {
            trips.sent(first, 1000 * i);
            trips.answered(first, 1000 * i + 100 + i);
        }
        assertEquals(101, trips.leastNanos());
        trips.sent(first, 0);
        trips.answered(first, 500);
        assertEquals(102, trips.leastNanos(), "the first is no longer among the last");
    }

    @Test
    void othersAreNotTimed() {
        long first = timed(1, 7);
        long second = timed(2, 7);
        for (long id : new long[] {0, first - 1, first + 1}) {
            assertFalse(RoundTrips.isTimed(id));
            trips.sent(id, 0);
            trips.answered(id, 5);
        }
        trips.answered(first, 5);
        assertTrue(Double.isNaN(trips.leastNanos()), "never sent");
        trips.sent(first, 0);
        trips.sent(second, 100);
        trips.answered(first, 101);
        assertTrue(Double.isNaN(trips.leastNanos()), "forgotten for a later one");
        trips.answered(second, 107);
        trips.answered(second, 108);
        assertEquals(7, trips.leastNanos());
    }

    @Test
    void aReadThatGoesToSeveralNodesIsTimedFromTheFirstOn() {
        long id = timed(1, -1);
        trips.sent(id, 1000);
        trips.sent(id, 1090);
        trips.answered(id, 1100);
        trips.answered(id, 1200);
        assertEquals(100, trips.leastNanos(), "not 10, nor any more after the first answer");
    }

    @Test
    void anAnswerAtTheSameInstantIsATime() {
        long id = timed(1, -1);
        trips.sent(id, 1000);
        trips.answered(id, 1000);
        assertEquals(1, trips.leastNanos());
    }

    /** Messages of one place that are answered while the next ones are sent are not timed by the others' beginning. */
    @Test
    void messagesOfOnePlaceAreNotMistakenForEachOther() throws InterruptedException {
        long[] ids = LongStream.range(1, 10_000_000)
                .filter(id -> RoundTrips.isTimed(id) && RoundTrips.slot(id) == 3)
                .limit(5000)
                .toArray();
        AtomicInteger sent = new AtomicInteger(-1);
        Thread sender = new Thread(() -> {
            for (int i = 0; i < ids.length; i++) {
                trips.sent(ids[i], 1_000_000L * i);
                sent.set(i);
            }
        });
        sender.start();
        for (int last = 0; last < ids.length - 1; ) {
            last = Math.max(0, sent.get());
            for (int i = Math.max(0, last - 2); sent.get() >= 0 && i <= last; i++) {
                trips.answered(ids[i], 1_000_000L * i + 10);
            }
        }
        sender.join();
        assertEquals(10, trips.leastNanos());
    }

    /** What a thread has sent has not another's beginning: more threads than processors, which lose them anywhere. */
    @Test
    void sendersOfOnePlaceAreNotMistakenForEachOther() throws InterruptedException {
        long[] ids = LongStream.range(1, 500_000)
                .filter(id -> RoundTrips.isTimed(id) && RoundTrips.slot(id) == 5)
                .toArray();
        int threads = 4 * Runtime.getRuntime().availableProcessors();
        List<Thread> senders = new ArrayList<>();
        AtomicInteger mistaken = new AtomicInteger();
        for (int own = 0; own < threads; own++) {
            int first = own;
            senders.add(new Thread(() -> {
                for (int i = 0; i < 100_000; i++) {
                    long id = ids[(first + i * threads) % (ids.length - ids.length % threads)];
                    trips.sent(id, first * 1_000_000L);
                    trips.answered(id, first * 1_000_000L + 10);
                    // Of one that began later: 1.
                    mistaken.addAndGet(trips.leastNanos() < 10 ? 1 : 0);
                }
            }));
        }
        senders.forEach(Thread::start);
        for (Thread sender : senders) {
            sender.join();
        }
        assertEquals(0, mistaken.get());
        assertEquals(10, trips.leastNanos());
    }

    @Test
    void whatMarksAPlaceIsNoIdThatIsTimed() {
        assertFalse(RoundTrips.isTimed(RoundTrips.TAKING));
    }
}
