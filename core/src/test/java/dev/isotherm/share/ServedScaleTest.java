// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.share;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class ServedScaleTest {
    private static final long SECOND = 1_000_000_000;
    private static final long AT = -SECOND / 2;

    /** Half is kept each second: what is left of a steady second each second is one second. */
    private final ServedScale scale = new ServedScale(AT, 1, 0.5, 4, 4 * SECOND);

    @Test
    void beforeTheFirstDecayNobodyHoldsAnything() {
        assertEquals(0, ServedScale.NONE.share(SECOND, 5 * SECOND), 0);
        assertEquals(0, ServedScale.NONE.part(SECOND), 0);
    }

    @Test
    void theShareIsThatOfTheThreadsTimeAtAnyInstant() {
        assertEquals(0.5, scale.share(2 * SECOND, AT), 1e-12);
        assertEquals(0.5, scale.share(4 * SECOND, AT + SECOND), 1e-12);
        assertEquals(0.25, scale.share(2 * SECOND, AT + SECOND), 1e-12);
        assertEquals(0.5, scale.share(2 * SECOND, AT - SECOND), 1e-12, "a clock read before the decay");
        assertEquals(1, scale.share(100 * SECOND, AT), 0);
    }

    @Test
    void thePartIsThatOfAllThatWasServed() {
        assertEquals(0.25, scale.part(SECOND), 1e-12);
        assertEquals(1, scale.part(9 * SECOND), 0);
    }

    /** Of four threads a sum stands for two seconds each, of which a 64th is an eighth of a second. */
    @Test
    void afterIdlenessThePartIsThatOfALittleOfTheThreadsTime() {
        assertEquals(1.0 / 8, new ServedScale(AT, 1, 0.5, 4, 0).part(SECOND / 64), 1e-12);
        assertEquals(1.0 / 8, new ServedScale(AT, 1, 0.5, 4, 1_000_000).part(SECOND / 64), 1e-12);
        assertEquals(1.0 / 16, new ServedScale(AT, 1, 0.5, 4, SECOND / 4.0).part(SECOND / 64), 1e-12);
    }
}
