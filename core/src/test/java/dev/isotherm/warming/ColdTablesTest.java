// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.warming;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class ColdTablesTest {
    private static final long SECOND = 1_000_000_000L;

    @Test
    void aTableIsColdFromOneAndAHalfTimesItsPeersUntilItsReadsCountAsEqual() {
        ColdTables<String> cold = new ColdTables<>(0, 600 * SECOND);
        assertEquals(Set.of(), cold.look(Map.of("t", 1.5), SECOND));
        assertEquals(Set.of("t"), cold.look(Map.of("t", 1.51, "warm", 0.2), SECOND));
        assertEquals(Set.of("t"), cold.look(Map.of("t", 1.43), SECOND));
        assertEquals(Set.of(), cold.look(Map.of("t", 1.42), SECOND));
        assertEquals(Set.of(), cold.look(Map.of("t", 1.47), SECOND), "it trembles about its peers");
    }

    @Test
    void whatCannotBeComparedIsNotCold() {
        ColdTables<String> cold = new ColdTables<>(0, 600 * SECOND);
        cold.look(Map.of("t", 20.0), 1);
        assertEquals(Set.of(), cold.look(Map.of("t", Double.NaN), 2));
        cold.look(Map.of("t", 20.0), 3);
        assertEquals(Set.of(), cold.look(Map.of(), 4));
    }

    @Test
    void nothingIsColdAfterTheBoundedTime() {
        // The clock of a process may begin anywhere, and pass its greatest number.
        for (long start : new long[] {0, -5, Long.MAX_VALUE - SECOND}) {
            ColdTables<String> cold = new ColdTables<>(start, 10 * SECOND);
            assertEquals(Set.of("t"), cold.look(Map.of("t", 20.0), start + 10 * SECOND - 1));
            assertFalse(cold.isOver(start + 10 * SECOND - 1));
            assertTrue(cold.isOver(start + 10 * SECOND));
            assertEquals(Set.of(), cold.look(Map.of("t", 20.0), start + 10 * SECOND));
        }
    }

    @Test
    void theBoundedTimeCanBeSetAnewEvenWhenItIsOver() {
        ColdTables<String> cold = new ColdTables<>(5, 10 * SECOND);
        assertTrue(cold.isOver(5 + 10 * SECOND));
        cold.endAfter(20 * SECOND);
        assertFalse(cold.isOver(5 + 20 * SECOND - 1));
        assertEquals(Set.of("t"), cold.look(Map.of("t", 20.0), 5 + 15 * SECOND));
        cold.endAfter(SECOND);
        assertTrue(cold.isOver(5 + 15 * SECOND));
    }

    @Test
    void whatDoesNotComeCloserInAMinuteIsSlowAndNotCold() {
        ColdTables<String> cold = new ColdTables<>(0, 600 * SECOND);
        assertEquals(Set.of("slow", "cold"), cold.look(Map.of("slow", 2.0, "cold", 2.0), 0));
        assertEquals(Set.of("slow", "cold"), cold.look(Map.of("slow", 1.96, "cold", 1.89), 59 * SECOND));
        assertEquals(Set.of("cold"), cold.look(Map.of("slow", 2.1, "cold", 1.89), 60 * SECOND));
        assertEquals(Set.of("cold"), cold.look(Map.of("slow", 3.0, "cold", 1.79), 118 * SECOND), "never again");
        assertEquals(Set.of("cold"), cold.look(Map.of("slow", 1.0, "cold", 1.9), 177 * SECOND));
        assertEquals(Set.of(), cold.look(Map.of("slow", 3.0, "cold", 1.9), 178 * SECOND));
    }

    @Test
    void ofManyTheColdestAreAskedForAndTheOthersAsTheirTurnComes() {
        int most = ColdTables.MOST_TABLES;
        ColdTables<Integer> cold = new ColdTables<>(0, 600 * SECOND);
        Map<Integer, Double> times = new HashMap<>();
        for (int table = 0; table < most + 3; table++) {
            times.put(table, 2.0 + table);
        }
        Set<Integer> asked = cold.look(times, 0);
        assertEquals(most, asked.size());
        assertFalse(asked.contains(0) || asked.contains(1) || asked.contains(2), "the least cold wait");
        times.replaceAll((table, each) -> table == 0 ? 900.0 : each - 0.5);
        assertEquals(asked, cold.look(times, 30 * SECOND), "a turn lasts, whatever others cost meanwhile");

        times.put(most + 2, 1.0);
        times.put(most + 1, 1.0);
        Set<Integer> next = cold.look(times, 59 * SECOND);
        assertTrue(next.contains(0) && next.contains(2) && !next.contains(1), "the coldest of those that wait");
        assertEquals(most, next.size());
        Set<Integer> later = cold.look(times, 118 * SECOND);
        assertTrue(later.contains(0) && later.contains(2), "their minute began with their turn");
        assertTrue(later.contains(1), "the others' had passed, at the same costs");
        assertEquals(3, later.size());
    }

    @Property(seed = "121")
    void eachTableFollowsItsOwnTimes(@ForAll @DoubleRange(min = 0, max = 3) @Size(value = 60) double[] times) {
        ColdTables<Integer> cold = new ColdTables<>(0, 600 * SECOND);
        boolean[] expected = new boolean[2];
        for (int look = 0; look < times.length / 2; look++) {
            Map<Integer, Double> now = new HashMap<>();
            for (int table = 0; table < 2; table++) {
                double each = times[2 * look + table];
                now.put(table, each);
                expected[table] = each > 1.5 || expected[table] && each > 10.0 / 7;
            }
            Set<Integer> found = cold.look(now, look);
            for (int table = 0; table < 2; table++) {
                assertEquals(expected[table], found.contains(table));
            }
        }
    }
}
