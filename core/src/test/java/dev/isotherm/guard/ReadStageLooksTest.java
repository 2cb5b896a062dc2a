// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ReadStageLooksTest {
    private static final long MS = 1_000_000;
    private static final long SPAN = 50 * MS;

    private final ReadStageLooks looks = new ReadStageLooks();

    private void look(int times, int tasks, long reads) {
        for (int i = 0; i < times; i++) {
            looks.add(tasks, reads, reads * MS, 0, SPAN);
        }
    }

    @Test
    void aReadWaitsForAllBeforeItAtThePaceOfThoseThatEnd() {
        look(ReadStageLooks.LOOKS, 40, 5);
        assertEquals(400 * MS, looks.leastWaitNanos());
    }

    @Test
    void theLeastNumberOfTasksCounts() {
        look(ReadStageLooks.LOOKS - 1, 40, 5);
        look(1, 10, 5);
        assertEquals(100 * MS, looks.leastWaitNanos());
        assertEquals(40, looks.mostTasks());
        assertEquals(100 * MS, looks.waitNanos(), "a read that comes now");
        look(1, 40, 5);
        assertEquals(100 * MS, looks.waitNanos(), "the one look may be in a burst");
        look(1, 40, 5);
        assertEquals(400 * MS, looks.waitNanos());
        assertEquals(100 * MS, looks.leastWaitNanos());
    }

    @Test
    void oneOrTwoTasksAreNoQueueAndWithoutAnEndItNeverEnds() {
        look(ReadStageLooks.LOOKS, Lateness.LEAST_LATE - 1, 0);
        assertEquals(0, looks.leastWaitNanos());
        look(ReadStageLooks.LOOKS, Lateness.LEAST_LATE, 0);
        assertEquals(Long.MAX_VALUE, looks.leastWaitNanos());
    }

    @Test
    void nothingIsKnownBeforeHalfASecond() {
        look(ReadStageLooks.LOOKS - 1, 40, 5);
        assertFalse(looks.areComplete());
        assertEquals(0, looks.leastWaitNanos());
        assertEquals(0, looks.unexplained());
        assertEquals(45, looks.ended());
        look(1, 40, 5);
        assertTrue(looks.areComplete());
        looks.clear();
        assertEquals(0, looks.leastWaitNanos());
        assertEquals(0, looks.ended());
    }

    @Test
    void tasksThatEndedOnesExplainTwiceOverAreNotLeft() {
        for (int i = 0; i < ReadStageLooks.LOOKS; i++) {
            looks.add(17, 5, 5 * 20 * MS, 250 * MS, SPAN);
        }
        assertEquals(3, looks.unexplained(), "17 less twice (100 + 250)/50");
        looks.add(16, 5, 5 * 20 * MS, 250 * MS, SPAN);
        assertEquals(0, looks.unexplained(), "two are a long scan");
    }

    @Test
    void scansAreNoQueueOfSingleReads() {
        for (int i = 0; i < ReadStageLooks.LOOKS; i++) {
            looks.add(40, 5, 5 * MS, 15 * MS, SPAN);
        }
        assertEquals(100 * MS, looks.leastWaitNanos(), "a quarter of the tasks are before it");
        assertEquals(100 * MS, looks.waitNanos());
        for (int i = 0; i < ReadStageLooks.LOOKS; i++) {
            looks.add(8, 0, 0, 0, SPAN);
        }
        assertEquals(0, looks.waitNanos(), "eight scans that last");
    }
}
