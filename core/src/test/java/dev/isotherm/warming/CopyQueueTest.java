// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.warming;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class CopyQueueTest {
    private enum Step {
        ARRIVE,
        NEXT,
        SERVED
    }

    @Property(seed = "125")
    void oneThreadSeesTheModel(
            @ForAll Step[] steps,
            @ForAll @IntRange(min = 1, max = 3) int mostInService,
            @ForAll @IntRange(min = 1, max = 4) int mostWaiting) {
        CopyQueue<Integer> queue = new CopyQueue<>(mostInService, mostWaiting);
        Queue<Integer> waiting = new ArrayDeque<>();
        int inService = 0;
        int dropped = 0;
        for (int i = 0; i < steps.length; i++) {
            if (steps[i] == Step.ARRIVE) {
                queue.arrive(i);
                dropped += waiting.size() == mostWaiting ? 1 : 0;
                if (waiting.size() < mostWaiting) {
                    waiting.add(i);
                }
            } else if (steps[i] == Step.NEXT) {
                Integer expected = inService < mostInService ? waiting.poll() : null;
                inService += expected == null ? 0 : 1;
                assertEquals(expected, queue.next());
            } else if (inService > 0) {
                queue.served();
                inService--;
            }
            assertEquals(dropped, queue.dropped());
            assertEquals(inService, queue.inService());
        }
    }

    @Test
    void whatWaitsIsDroppedAndMakesRoom() {
        CopyQueue<String> queue = new CopyQueue<>(2, 2);
        queue.arrive("a");
        queue.arrive("b");
        queue.clear();
        assertNull(queue.next());
        queue.arrive("c");
        queue.arrive("d");
        assertEquals("c", queue.next());
        assertEquals("d", queue.next());
        assertEquals(0, queue.dropped());
    }

    @Test
    void fewerMayBeInServiceForNow() {
        CopyQueue<String> queue = new CopyQueue<>(2, 3);
        queue.arrive("a");
        queue.arrive("b");
        queue.arrive("c");
        assertEquals("a", queue.next(1));
        assertNull(queue.next(1));
        assertEquals("b", queue.next(3));
        assertNull(queue.next(3), "no more than ever may");
        assertEquals(2, queue.inService());
    }

    @Test
    void moreOrFewerAreServedOnceThatIsSet() {
        CopyQueue<String> queue = new CopyQueue<>(1, 3);
        queue.arrive("a");
        queue.arrive("b");
        queue.arrive("c");
        assertEquals("a", queue.next());
        assertNull(queue.next());
        queue.serveAtMost(2);
        assertEquals("b", queue.next());
        assertNull(queue.next());
        queue.serveAtMost(1);
        queue.served();
        assertNull(queue.next(), "one is in service still");
        queue.served();
        assertEquals("c", queue.next());
    }

    @Test
    void whatWaitsCanBeDropped() {
        CopyQueue<String> queue = new CopyQueue<>(1, 2);
        queue.arrive("a");
        queue.arrive("b");
        assertEquals("a", queue.next());
        queue.clear();
        queue.served();
        assertNull(queue.next());
        assertEquals(2, queue.arrived());
        assertEquals(0, queue.dropped());
    }

    /** No copy is left waiting while nobody serves, and no more are in service than may. */
    @Test
    void threadsServeAllThatIsNotDropped() throws Exception {
        for (int round = 0; round < 50; round++) {
            CopyQueue<Integer> queue = new CopyQueue<>(2, 3);
            AtomicInteger inService = new AtomicInteger();
            AtomicInteger most = new AtomicInteger();
            AtomicInteger served = new AtomicInteger();
            ExecutorService threads = Executors.newFixedThreadPool(4);
            List<Future<?>> ends = new ArrayList<>();
            for (int t = 0; t < 4; t++) {
                ends.add(threads.submit(() -> {
                    for (int i = 0; i < 500; i++) {
                        queue.arrive(i);
                        while (queue.next() != null) {
                            most.accumulateAndGet(inService.incrementAndGet(), Math::max);
                            served.incrementAndGet();
                            inService.decrementAndGet();
                            queue.served();
                        }
                    }
                }));
            }
            for (Future<?> end : ends) {
                end.get(60, TimeUnit.SECONDS);
            }
            threads.shutdown();
            assertTrue(most.get() <= 2, () -> most + " in service");
            assertEquals(2_000, queue.arrived());
            assertEquals(2_000, served.get() + queue.dropped());
        }
    }

    @Test
    void bothBoundsAreOneOrAbove() {
        assertEquals(
                "mostInService is 0; allowed: 1 or above",
                assertThrows(IllegalArgumentException.class, () -> new CopyQueue<>(0, 1))
                        .getMessage());
        assertEquals(
                "mostWaiting is 0; allowed: 1 or above",
                assertThrows(IllegalArgumentException.class, () -> new CopyQueue<>(1, 0))
                        .getMessage());
    }
}
