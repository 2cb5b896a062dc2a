// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.accuracy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TimelineTest {
    private final Timeline timeline = new Timeline();
    private final List<String> happened = new ArrayList<>();

    private void at(long nanos, String name) {
        timeline.at(nanos, () -> happened.add(name + "@" + timeline.now()));
    }

    @Test
    void runsEventsInTheirOrderAndThoseOfOneInstantInTheOrderOfScheduling() {
        at(5, "c");
        at(3, "a");
        at(5, "d");
        at(4, "b");
        timeline.advance(4);
        assertEquals(List.of("a@3", "b@4"), happened);
        timeline.advance(10);
        assertEquals(List.of("a@3", "b@4", "c@5", "d@5"), happened);
        assertEquals(10, timeline.now());
    }

    @Test
    void eventsMayScheduleOthersForTheSameInstant() {
        timeline.at(2, () -> at(2, "then"));
        timeline.advance(2);
        assertEquals(List.of("then@2"), happened);
    }

    @Test
    void thereIsNoWayBack() {
        timeline.advance(7);
        assertThrows(IllegalArgumentException.class, () -> timeline.at(6, () -> {}));
        assertThrows(IllegalArgumentException.class, () -> timeline.advance(6));
    }
}
