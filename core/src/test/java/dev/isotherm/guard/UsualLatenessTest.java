// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class UsualLatenessTest {
    private static final double KEPT = Math.exp(-5 / 60.0);
    private static final int LOOKS_OF_BLOCK = 500;

    private final UsualLateness usual = new UsualLateness();

    private void block(int lateReads, int ofReads) {
        for (int look = 0; look < LOOKS_OF_BLOCK; look++) {
            usual.learn(lateReads, ofReads);
        }
    }

    /** Two, what is usual and four standard deviations of it. */
    private static double most(double usually) {
        return 2 + usually + 4 * Math.sqrt(usually);
    }

    @Test
    void whereNothingIsKnownTwoAreChance() {
        assertEquals(2, usual.mostByChance(400));
        block(1, 100);
        assertEquals(2, usual.mostByChance(400), "what was seen last is not learned yet");
    }

    @Test
    void whereOneInAHundredIsLateSoManyMoreAre() {
        block(1, 100);
        block(1, 100);
        assertEquals(most(4), usual.mostByChance(400), 1e-9);
        assertEquals(2, usual.mostByChance(0));
    }

    @Test
    void whatWasUsualFadesOverAMinute() {
        block(1, 100);
        block(1, 100);
        block(0, 100);
        assertEquals(most(4), usual.mostByChance(400), 1e-9);
        block(0, 300);
        double late = KEPT * (KEPT + 1);
        assertEquals(most(400 * late / 100 / (late + 1)), usual.mostByChance(400), 1e-9);
        block(0, 300);
        late *= KEPT;
        double reads = KEPT * (KEPT * (KEPT + 1) + 1) + 3;
        assertEquals(most(400 * late / 100 / reads), usual.mostByChance(400), 1e-9);
    }

    @Test
    void moreThanOneInFiftyIsNoChance() {
        block(50, 100);
        block(50, 100);
        assertEquals(most(8), usual.mostByChance(400), 1e-9);
    }
}
