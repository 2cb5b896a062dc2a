// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class StarvationTest {
    private static final long MS = 1_000_000;

    private final Starvation starvation = new Starvation();

    /** Runs in turns: so long, then a pause of so long; returns after how many milliseconds it was starved, or -1. */
    private int turns(int runsMillis, int pausesMillis, int forMillis) {
        for (int passed = 0; passed < forMillis; passed += runsMillis + pausesMillis) {
            starvation.passed(runsMillis * MS, 0);
            starvation.passed(pausesMillis * MS, pausesMillis * MS);
            if (starvation.isStarved()) {
                return passed + runsMillis + pausesMillis;
            }
        }
        return -1;
    }

    @Test
    void aTenthOfAProcessorIsNoticedWithinASecond() {
        int after = turns(10, 90, 5_000);
        assertTrue(after > 500 && after <= 1_000, "after " + after + " ms");
    }

    /** A steady quota is starvation from a half on; the average of turns of 0.1 s trembles by a twentieth. */
    @Property(tries = 91, seed = "4")
    void halfOfTheTimeIsTheBound(@ForAll @IntRange(min = 5, max = 95) int percentPaused) {
        boolean starved = turns(100 - percentPaused, percentPaused, 30_000) >= 0;
        if (Math.abs(percentPaused - 50) > 5) {
            assertEquals(percentPaused > 50, starved);
        }
    }

    @Test
    void longPausesThatAreRareAreNone() {
        assertEquals(-1, turns(1_700, 300, 60_000), "300 ms of 2 s");
        assertEquals(-1, turns(5_000, 60_000, 600_000), "a minute, each time after five seconds");
        starvation.passed(3_600_000 * MS, 3_600_000 * MS);
        assertFalse(starvation.isStarved());
    }

    @Test
    void itEndsWithinTwoSecondsAfterTheLastPause() {
        for (int i = 0; i < 50; i++) {
            starvation.passed(10 * MS, 0);
            starvation.passed(90 * MS, 90 * MS);
        }
        assertTrue(starvation.isStarved());
        for (int i = 0; i < 200; i++) {
            starvation.passed(10 * MS, 0);
        }
        assertFalse(starvation.isStarved());
    }

    /** What begins at a half ends at a quarter, or reads would go back and forth. */
    @Test
    void itDoesNotFlap() {
        assertTrue(turns(10, 90, 5_000) > 0);
        for (int i = 0; i < 300; i++) {
            starvation.passed(60 * MS, 0);
            starvation.passed(40 * MS, 40 * MS);
            assertTrue(starvation.isStarved());
        }
    }

    @Test
    void noTimeSaysNothing() {
        starvation.passed(0, 0);
        assertFalse(starvation.isStarved());
    }

    /** Of equal quotas at the edge, one node begins to starve and another does not: neither helps the other. */
    @Property(tries = 91, seed = "4")
    void whoeverNearlyStarvesIsNoHelp(@ForAll @IntRange(min = 5, max = 95) int percentPaused) {
        turns(100 - percentPaused, percentPaused, 30_000);
        if (Math.abs(percentPaused - 40) > 5) {
            assertEquals(percentPaused > 40, starvation.isNoHelp());
        }
    }

    @Test
    void afterPausesThatAreRareItIsHelpAndRuns() {
        starvation.passed(300 * MS, 300 * MS);
        assertFalse(starvation.isNoHelp());
        assertTrue(starvation.isRunning());
        turns(40, 60, 5_000);
        assertFalse(starvation.isRunning());
    }
}
