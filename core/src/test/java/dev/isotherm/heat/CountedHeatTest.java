// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import org.junit.jupiter.api.Test;

class CountedHeatTest {
    private static final long SECOND = 1_000_000_000L;
    private static final BalanceSettings SETTINGS = BalanceSettings.defaults();

    @Test
    void aNodeIsColdUntilItsOwnReadsOutweighTheBeginning() {
        CountedHeat misses = CountedHeat.ofMisses(3 * SECOND, 0);
        assertSame(Heat.missRatio(1), misses.heat());
        misses.add(0, 20, SECOND / 1000);
        assertEquals(0.5, misses.heat().value(), 0.02, "as many reads as the beginning weighs");
        CountedHeat times = CountedHeat.ofReadTimes(3 * SECOND, SETTINGS, 0);
        assertSame(Heat.readTimeNanos(1e7), times.heat());
        times.add(20 * 1e6, 20, SECOND / 1000);
        assertEquals(5.5e6, times.heat().value(), 0.03 * 5.5e6);
    }

    @Test
    void tellsWhatTheCountersShow() {
        CountedHeat misses = CountedHeat.ofMisses(3 * SECOND, 0);
        CountedHeat times = CountedHeat.ofReadTimes(3 * SECOND, SETTINGS, 0);
        for (int round = 1; round <= 300; round++) {
            misses.add(12, 40, round * SECOND / 5);
            times.add(40 * 2e6, 40, round * SECOND / 5);
        }
        assertEquals(0.3, misses.heat().value(), 0.05 * 0.3);
        assertEquals(2e6, times.heat().value(), 0.05 * 2e6);
    }

    @Test
    void moreMissesThanLookUpsAreAllOfThem() {
        CountedHeat misses = CountedHeat.ofMisses(3 * SECOND, 0);
        misses.add(50, 40, SECOND);
        assertSame(Heat.missRatio(1), misses.heat());
        misses.add(5, 0, 2 * SECOND);
        assertSame(Heat.missRatio(1), misses.heat(), "nothing without reads");
    }
}
