// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class SumTurnsTest {
    private final SumTurns turns = new SumTurns();

    /** The observations, of so many, at which sums were due and taken: a digit for each. */
    private String observe(int observations, boolean atOnce) {
        StringBuilder due = new StringBuilder();
        for (int i = 0; i < observations; i++) {
            boolean isDue = turns.isDue(atOnce);
            due.append(isDue ? 1 : 0);
            if (isDue) {
                turns.taken();
            }
        }
        return due.toString();
    }

    @Test
    void oneInSoManyObservationsBringsThem() {
        assertEquals("111", observe(3, false));
        turns.take(5);
        assertEquals("000010000100001", observe(15, false));
        turns.take(2);
        assertEquals("010101", observe(6, false));
    }

    @Test
    void theFirstOneDoes() {
        turns.take(5);
        assertEquals("1000010000", observe(10, false));
    }

    @Test
    void whatCouldNotBeTakenIsDueUntilItIs() {
        turns.take(5);
        assertEquals("10000", observe(5, false));
        for (int failed = 0; failed < 7; failed++) {
            assertTrue(turns.isDue(false));
        }
        turns.taken();
        assertFalse(turns.isDue(false));
        assertEquals("00010", observe(5, false), "a whole turn after that");
    }

    @Test
    void atOnceTheyAreDueInAnyCase() {
        turns.take(5);
        assertEquals("111", observe(3, true));
        assertEquals("00001", observe(5, false));
    }
}
