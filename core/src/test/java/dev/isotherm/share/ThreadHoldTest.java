// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.share;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ThreadHoldTest {
    private final ThreadHold<String> hold = new ThreadHold<>();
    private String unwanted;
    private final List<String> told = new ArrayList<>();

    private void tell(long nowNanos) {
        hold.tell(
                nowNanos,
                listener((what, partition, nanos, lasted) ->
                        told.add(what + " " + partition + " " + nanos + " of " + lasted)));
    }

    private interface Heard {
        void holds(String what, long partition, long nanos, long lasted);
    }

    private ThreadHold.Listener<String> listener(Heard heard) {
        return new ThreadHold.Listener<>() {
            @Override
            public boolean isWanted(String what, long begunNanos) {
                return !what.equals(unwanted);
            }

            @Override
            public void holds(String what, long partition, long nanos, long lasted) {
                heard.holds(what, partition, nanos, lasted);
            }
        };
    }

    @Test
    void whatIsServedHasAKind() {
        assertFalse(hold.isHeldBy((what, partition) -> true), "nothing is served");
        hold.begin("table", 7, 100);
        assertTrue(hold.isHeldBy((what, partition) -> what.equals("table") && partition == 7));
        assertFalse(hold.isHeldBy((what, partition) -> partition == 8));
        tell(150);
        assertTrue(hold.isHeldBy((what, partition) -> partition == 7));
        hold.end();
        assertFalse(hold.isHeldBy((what, partition) -> true), "it has ended");
    }

    @ParameterizedTest
    @ValueSource(longs = {1_000, 0, -5, Long.MAX_VALUE - 20})
    void eachPieceOfTimeIsToldOnce(long start) {
        tell(start);
        hold.begin("table", 7, start);
        assertTrue(hold.isHeld());
        tell(start + 10);
        tell(start + 10);
        tell(start + 35);
        long from = hold.end();
        assertFalse(hold.isHeld());
        tell(start + 50);
        long begun = start == 0 ? 1 : start;
        assertEquals(
                List.of(
                        "table 7 " + (start + 10 - begun) + " of " + (start + 10 - begun),
                        "table 7 25 of " + (start + 35 - begun)),
                told);
        assertEquals(start + 35, from);
        assertEquals(begun, hold.begun());
        assertEquals("table", hold.what());
        assertEquals(7, hold.partition());
    }

    @Test
    void ofAnOperationThatWasNotToldOfAllIsLeft() {
        hold.begin("table", 7, 100);
        assertEquals(100, hold.end());
        assertEquals(100, hold.begun());
    }

    @Test
    void ofWhatIsNotWantedAllIsLeft() {
        unwanted = "table";
        hold.begin("table", 7, 100);
        tell(150);
        assertEquals(100, hold.end());
        assertEquals(List.of(), told);
    }

    @Test
    void noInstantComesTwice() {
        hold.begin("first", 1, 100);
        tell(200);
        hold.begin("second", 2, 150);
        assertEquals(201, hold.begun(), "else who has read 200 might take the second for the first");
        hold.end();
        hold.begin("third", 3, 201);
        assertEquals(202, hold.end());
    }

    /** Two partitions in turn, on a thread that never waits for the one that tells, and goes on until they have met. */
    @Test
    void nothingIsLostOrToldTwiceOrOfAnother() throws InterruptedException {
        AtomicLong clock = new AtomicLong(1);
        AtomicBoolean done = new AtomicBoolean();
        AtomicBoolean met = new AtomicBoolean();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        long[] served = new long[2];
        long[] known = new long[2];
        Thread thread = new Thread(() -> {
            for (int i = 0; i < 1_000_000 || !met.get() && System.nanoTime() < end; i++) {
                int partition = i & 1;
                hold.begin(partition == 0 ? "even" : "odd", partition, clock.incrementAndGet());
                long from = hold.end();
                long now = clock.addAndGet(3);
                served[partition] += now - hold.begun();
                known[partition] += now - from;
            }
            done.set(true);
        });
        long[] heard = new long[2];
        thread.start();
        while (!done.get()) {
            hold.tell(clock.incrementAndGet(), listener((what, partition, nanos, lasted) -> {
                assertEquals(what, partition == 0 ? "even" : "odd");
                assertTrue(nanos > 0 && nanos <= lasted);
                heard[(int) partition] += nanos;
            }));
            met.set(heard[0] > 0 && heard[1] > 0);
        }
        thread.join();
        assertTrue(heard[0] > 0 && heard[1] > 0, "they have met");
        for (int partition = 0; partition < 2; partition++) {
            assertEquals(served[partition], known[partition] + heard[partition]);
        }
    }
}
