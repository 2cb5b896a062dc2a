// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LeftReadsTest {
    private static final long SECOND = 1_000_000_000;

    private final LeftReads left = new LeftReads();
    /** The clock wraps after ten seconds. */
    private long now = Long.MAX_VALUE - 10 * SECOND;

    @ParameterizedTest
    @CsvSource({
        "0, 0, true",
        "1, 0, true",
        "2, 0, true",
        "0, 1, false",
        "1, 1, false",
        "2, 1, true",
        "2, 2, false",
        "3, 2, true"
    })
    void mostOfTheOthersMustRun(int well, int alike, boolean leaves) {
        assertEquals(leaves, left.decide(true, well, alike, now));
        assertFalse(left.decide(false, well, alike, now));
    }

    /** Tries in vain: the waits between the end of one and the beginning of the next, in seconds. */
    @Test
    void eachTryInVainIsFollowedByALongerWait() {
        for (int wait : new int[] {5, 10, 20, 40, 60, 60}) {
            assertTrue(left.decide(true, 0, 0, now), "before a wait of " + wait + " s");
            assertFalse(left.decide(true, 0, 1, now));
            now += wait * SECOND - 1;
            assertFalse(left.decide(true, 2, 0, now), "at the end of " + wait + " s");
            now += 1;
        }
    }

    /** Others that say it before this node leaves them any read make it wait for nothing but their word. */
    @Test
    void whoeverDidNotTryNeedNotWait() {
        assertFalse(left.decide(true, 0, 2, now));
        assertTrue(left.decide(true, 2, 0, now + 1));
    }

    @Test
    void anotherStarvationBeginsAnew() {
        left.decide(true, 1, 0, now);
        left.decide(true, 0, 1, now);
        assertFalse(left.decide(true, 1, 0, now));
        left.decide(false, 1, 0, now);
        assertTrue(left.decide(true, 1, 0, now));
    }
}
