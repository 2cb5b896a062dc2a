// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.balance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class EventsTest {
    private final Events events = new Events();
    private final List<Long> seen = new ArrayList<>();

    @Test
    void runInTheOrderOfTheirInstants() {
        SplittableRandom random = new SplittableRandom(1);
        List<Long> instants = new ArrayList<>();
        for (int i = 0; i < 5000; i++) {
            long instant = random.nextLong(1000);
            instants.add(instant);
            events.at(instant, () -> seen.add(events.now()));
        }
        events.runUntil(1000);
        Collections.sort(instants);
        assertEquals(instants, seen);
    }

    @Test
    void ofOneInstantRunInTheOrderOfTheirScheduling() {
        for (long i = 0; i < 100; i++) {
            long number = i;
            events.at(7, () -> seen.add(number));
        }
        events.runUntil(7);
        for (int i = 0; i < 100; i++) {
            assertEquals(i, seen.get(i));
        }
    }

    @Test
    void laterOnesWait() {
        events.after(10, () -> events.after(10, () -> seen.add(events.now())));
        events.runUntil(19);
        assertEquals(List.of(), seen);
        assertEquals(19, events.now());
        events.runUntil(20);
        assertEquals(List.of(20L), seen);
        assertThrows(IllegalArgumentException.class, () -> events.at(19, () -> {}));
    }
}
