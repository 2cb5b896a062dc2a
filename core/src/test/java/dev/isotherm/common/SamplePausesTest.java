// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.common;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class SamplePausesTest {
    private static final long SECOND = 1_000_000_000L;

    private final SamplePauses pauses = new SamplePauses();

    @Test
    void samplesInTimeAreOfATimeThatWasMeasured() {
        for (long now = Long.MAX_VALUE - 20 * SECOND, i = 0; i < 100; i++, now += 2 * SECOND) {
            assertFalse(pauses.endsPause(now));
        }
    }

    @Test
    void oneThatComesLateIsAcrossAPause() {
        assertFalse(pauses.endsPause(-5));
        assertTrue(pauses.endsPause(2 * SECOND));
        assertFalse(pauses.endsPause(3 * SECOND));
        assertTrue(pauses.endsPause(4_000 * SECOND));
    }

    @Test
    void whereAllComeLateEverySecondOneCounts() {
        int across = 0;
        for (int i = 0; i < 100; i++) {
            across += pauses.endsPause(i * 3 * SECOND) ? 1 : 0;
        }
        assertEquals(50, across, 1);
    }
}
