// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class BurstEdgeTest {
    private static final double UNITS = 62.5e6;
    private final BurstEdge edge = new BurstEdge(0.4, UNITS);

    /**
     * The fraction of all 2^32 random numbers that are admitted: the lowest ones, so that a binary search finds the
     * bound.
     */
    private double chance(double debtSeconds, int limit) {
        long debt = (long) (debtSeconds * UNITS);
        long below = 0;
        long above = 1L << 32;
        while (below < above) {
            long middle = (below + above) / 2;
            if (middle < 1L << 32 && edge.admits(debt, UNITS / limit, limit, (int) middle)) {
                below = middle + 1;
            } else {
                above = middle;
            }
        }
        return below * 0x1p-32;
    }

    @Test
    void upToTheBurstAllGoAhead() {
        for (double debt : new double[] {-3_600, -1, 0, 0.1, 0.4, 0.43}) {
            assertEquals(1, chance(debt, 100), "debt " + debt);
        }
        assertEquals(1, chance(0.402, 1_000));
        assertEquals(1, chance(0.7, 10));
        assertEquals(1, chance(0.7, 1));
        assertTrue(chance(0.701, 1) < 1);
        assertTrue(chance(0.431, 100) < 1);
    }

    @Test
    void beyondItTheChanceHalvesWithEachStep() {
        for (int step = 0; step < 30; step++) {
            assertEquals(Math.pow(2, -step), chance(0.43 + step * 0.025, 100), Math.pow(2, -step) * 1e-4 + 0x1p-32);
            assertEquals(Math.pow(2, -step), chance(0.7 + step * 0.01, 10), Math.pow(2, -step) * 1e-4 + 0x1p-32);
            // Between steps a straight line: at most 6.1 % above the power.
            assertEquals(
                    0.75 * Math.pow(2, -step),
                    chance(0.43 + (step + 0.5) * 0.025, 100),
                    Math.pow(2, -step) * 1e-4 + 0x1p-32);
        }
    }

    @Test
    void farBeyondItNothingGoesAheadWhateverTheNumber() {
        for (double debt : new double[] {0.43 + 32 * 0.025 + 1e-6, 2, 4.4, 8.8, 1e9}) {
            assertFalse(edge.admits((long) (debt * UNITS), UNITS / 100, 100, 0), "debt " + debt);
        }
        assertTrue(edge.admits((long) ((0.43 + 31.9 * 0.025) * UNITS), UNITS / 100, 100, 0));
    }

    @Test
    void theChanceNeverRisesWithTheDebt() {
        for (int limit : new int[] {1, 10, 16, 17, 1_000, Integer.MAX_VALUE}) {
            double before = 1;
            for (double debt = 0.3; debt < 1.7; debt += 0.0007) {
                double chance = chance(debt, limit);
                assertTrue(chance <= before);
                before = chance;
            }
            assertEquals(0, before);
        }
    }
}
