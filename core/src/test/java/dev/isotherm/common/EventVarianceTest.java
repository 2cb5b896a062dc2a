// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.common;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class EventVarianceTest {
    @Test
    void hitsAndMissesVaryMostWhereBothAreEquallyOften() {
        assertEquals(0.25, EventVariance.OF_RATIO.at(0.5), 0);
        assertEquals(0.09, EventVariance.OF_RATIO.at(0.1), 1e-15);
        assertEquals(0, EventVariance.OF_RATIO.at(1), 0);
        assertEquals(0, EventVariance.OF_RATIO.at(1 + 1e-9), 0, "never less than none");
    }

    @Test
    void numbersByChanceVaryByTheirMean() {
        assertEquals(7, EventVariance.OF_COUNT.at(7), 0);
    }

    @Test
    void timesVaryWithTheSquareOfTheirMean() {
        assertEquals(18, EventVariance.OF_TIME.at(3), 0);
    }
}
