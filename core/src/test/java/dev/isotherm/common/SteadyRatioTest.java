// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.common;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SteadyRatioTest {
    private static final long TAU = 3_000_000_000L;
    private static final long ROUND = 200_000_000L;

    private long now = 11;
    private final SteadyRatio ratio = new SteadyRatio(TAU, 10, 20, now);

    private void add(double mean, double reads, int rounds) {
        for (int i = 0; i < rounds; i++) {
            now += ROUND;
            ratio.add(mean * reads, reads, now);
        }
    }

    @Test
    void startsAtThePriorAndGoesToTheMean() {
        assertEquals(10, ratio.value(), 0);
        add(4, 40, 200);
        assertEquals(4, ratio.value(), 0.01);
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 201, 202, 203, 204})
    void twoDisturbedLumpsInARowLeaveNoTrace(int lumpsBefore) {
        add(4, 40, lumpsBefore);
        double before = ratio.value();
        add(1000, 40, 2);
        add(4, 40, 10);
        assertEquals(before, ratio.value(), 1e-3);
    }

    @Test
    void aLastingChangeArrives() {
        add(4, 40, 200);
        add(80, 40, 3);
        assertEquals(4 + 76 * (1 - Math.exp(-0.2 / 3)), ratio.value(), 0.5, "three lumps later it begins");
        add(80, 40, 60);
        assertEquals(80, ratio.value(), 2);
    }

    @Test
    void fewReadsAreGathered() {
        add(4, 1, 7);
        assertEquals(10, ratio.value(), 0);
        add(4, 1, 1);
        assertEquals((10 * 20 + 4 * 8) / 28.0, ratio.value(), 1.5);
    }

    @ParameterizedTest
    @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, -1})
    void aBadNumberIsRefused(double bad) {
        assertThrows(IllegalArgumentException.class, () -> ratio.add(bad, 1, now));
        assertThrows(IllegalArgumentException.class, () -> ratio.add(1, bad, now));
        assertEquals(10, ratio.value(), 0);
    }
}
