// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import org.junit.jupiter.api.Test;

class HeldInOrderTest {
    private static final class Task implements Comparable<Task> {
        final long at;
        final Runnable run;

        Task(long at, Runnable run) {
            this.at = at;
            this.run = run;
        }

        @Override
        public int compareTo(Task other) {
            return Long.compare(at, other.at);
        }
    }

    private final PriorityQueue<Task> tasks = new PriorityQueue<>();
    private final List<String> delivered = new ArrayList<>();
    private long now = Long.MAX_VALUE - 50; // a clock that overflows on the way
    private final HeldInOrder<String> held = new HeldInOrder<>(
            () -> now, (nanos, task) -> tasks.add(new Task(since(now + nanos), task)), name -> delivered.add(name));

    private static long since(long moment) {
        return moment - (Long.MAX_VALUE - 50);
    }

    private void passTime(long nanos) {
        now += nanos;
        while (!tasks.isEmpty() && tasks.peek().at <= since(now)) {
            tasks.poll().run.run();
        }
    }

    @Test
    void withoutADelayEverythingPasses() {
        assertFalse(held.hold("a"));
        assertTrue(tasks.isEmpty());
    }

    @Test
    void whatIsHeldComesWhenItsTimeHasComeAndNotBefore() {
        held.setDelay(100);
        assertTrue(held.hold("a"));
        passTime(99);
        assertEquals(List.of(), delivered);
        passTime(1);
        assertEquals(List.of("a"), delivered);
    }

    @Test
    void theOrderStays() {
        held.setDelay(100);
        for (int i = 0; i < 5; i++) {
            held.hold("" + i);
            passTime(i % 2);
        }
        passTime(100);
        assertEquals(List.of("0", "1", "2", "3", "4"), delivered);
    }

    @Test
    void whatComesAfterTheDelayHasEndedStaysBehindWhatIsHeldAndThenAllPasses() {
        held.setDelay(100);
        held.hold("a");
        passTime(40);
        held.setDelay(0);
        assertTrue(held.hold("b"));
        passTime(59);
        assertEquals(List.of(), delivered);
        passTime(1);
        assertEquals(List.of("a", "b"), delivered);
        assertFalse(held.hold("c"));
    }

    @Test
    void aDeliveryThatFailsTakesNoneWithIt() {
        List<String> came = new ArrayList<>();
        HeldInOrder<String> strict =
                new HeldInOrder<>(() -> now, (nanos, task) -> tasks.add(new Task(since(now + nanos), task)), name -> {
                    if (name.equals("bad")) {
                        throw new IllegalStateException(name);
                    }
                    came.add(name);
                });
        strict.setDelay(10);
        strict.hold("bad");
        strict.hold("good");
        assertThrows(IllegalStateException.class, () -> passTime(10));
        passTime(0);
        assertEquals(List.of("good"), came);
        strict.setDelay(0);
        assertFalse(strict.hold("next"));
    }

    @Test
    void aNegativeDelayIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> held.setDelay(-1));
    }
}
