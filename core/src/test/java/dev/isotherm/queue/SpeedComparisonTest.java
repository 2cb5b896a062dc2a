// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class SpeedComparisonTest {
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;
    /** Instants may be of either sign. */
    private static final long BEGUN = Long.MAX_VALUE - SECOND;

    private final SpeedComparison comparison = new SpeedComparison(2 * MILLI, 10 * SECOND, BEGUN);

    @Test
    void aSlowNodeThatHearsOfNobodyGivesAwayOneWriteASecond() {
        int given = 0;
        for (long now = BEGUN; now - BEGUN < 5 * SECOND; now += 100 * MILLI) {
            given += comparison.claim(5 * MILLI, now) ? 1 : 0;
        }
        assertEquals(5, given);
    }

    @Test
    void aFastOneAndOneThatDoesNotKnowHowFastItIsGiveNoneAway() {
        assertFalse(comparison.claim(2 * MILLI, BEGUN));
        assertFalse(comparison.claim(0, BEGUN));
        assertTrue(comparison.claim(2 * MILLI + 1, BEGUN));
    }

    @Test
    void whatAnotherHasToldIsKnownForAWhile() {
        comparison.heard(0, BEGUN);
        assertTrue(comparison.claim(5 * MILLI, BEGUN), "one that has served nothing tells nothing");
        comparison.heard(7 * MILLI, BEGUN + SECOND);
        assertFalse(comparison.claim(5 * MILLI, BEGUN + 11 * SECOND - 1));
        assertTrue(comparison.claim(5 * MILLI, BEGUN + 11 * SECOND));
    }

    @Test
    void timesMayBeAsShortAsTheClockTells() {
        SpeedComparison least = new SpeedComparison(1, 1, BEGUN);
        least.heard(1, BEGUN);
        assertFalse(least.claim(2, BEGUN));
        assertFalse(least.claim(1, BEGUN + 1));
        assertTrue(least.claim(2, BEGUN + 1));
    }

    @Test
    void nonsenseIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> new SpeedComparison(0, 1, 0));
        assertThrows(IllegalArgumentException.class, () -> new SpeedComparison(1, 0, 0));
    }
}
