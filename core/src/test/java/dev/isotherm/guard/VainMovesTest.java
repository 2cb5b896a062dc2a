// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class VainMovesTest {
    private static final long SECOND = 1_000_000_000;

    private final VainMoves vain = new VainMoves();
    /** The clock wraps a minute after the beginning. */
    private long now = Long.MAX_VALUE - 60 * SECOND;

    private void last(int seconds) {
        for (int second = 0; second < seconds; second++) {
            assertTrue(vain.areRecent(now), "after " + second + " s of " + seconds);
            now += SECOND;
        }
        assertFalse(vain.areRecent(now), "after " + seconds + " s");
    }

    @Test
    void noneAreRecentAtFirst() {
        assertFalse(vain.areRecent(now));
    }

    @Test
    void eachTimeWithinAMinuteItLastsTwiceAsLong() {
        for (int seconds : new int[] {10, 20, 40, 60, 60}) {
            vain.found(now);
            last(seconds);
            now += 60 * SECOND;
        }
        now += 1;
        vain.found(now);
        last(10);
    }

    @Test
    void theMovedReadsComeBackInASecond() {
        assertFalse(vain.comeBack(now));
        now += 59 * SECOND + SECOND / 2;
        vain.found(now);
        now += SECOND - 1;
        assertTrue(vain.comeBack(now));
        now++;
        assertFalse(vain.comeBack(now));
        assertTrue(vain.areRecent(now));
        vain.found(now);
        assertTrue(vain.comeBack(now));
        vain.forget();
        assertFalse(vain.comeBack(now));
    }

    @Test
    void whatIsForgottenNeverWas() {
        vain.found(now);
        vain.forget();
        last(0);
        vain.found(now);
        last(10);
    }

    @Test
    void whileItLastsItBeginsAnew() {
        vain.found(now);
        now += 9 * SECOND;
        vain.found(now);
        last(10);
    }
}
