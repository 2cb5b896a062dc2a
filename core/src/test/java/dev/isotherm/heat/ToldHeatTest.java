// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.common.AdaptiveRatio;
import dev.isotherm.common.EventVariance;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ToldHeatTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long ROUND = SECOND / 5;

    private final SplittableRandom random = new SplittableRandom(5);
    private final AdaptiveRatio ratio = new AdaptiveRatio(EventVariance.OF_RATIO, 3 * SECOND, 1, 20, 0, 0);
    private final ToldHeat told = new ToldHeat(Heat.Kind.MISS_RATIO);
    private long now;
    private Heat heat = told.measured(1, 0);

    /** Reads that miss by chance; returns how often what is told changes. */
    private int run(double readsPerSecond, double misses, int seconds) {
        int changes = 0;
        for (long until = now + seconds * SECOND; now < until; ) {
            now += ROUND;
            int reads = 0;
            int missed = 0;
            for (int chance = 0; chance < 100; chance++) {
                boolean arrives = random.nextDouble() < readsPerSecond * ROUND / SECOND / 100;
                reads += arrives ? 1 : 0;
                missed += arrives && random.nextDouble() < misses ? 1 : 0;
            }
            ratio.add(missed, reads, now);
            Heat before = heat;
            heat = told.measured(ratio.value(), ratio.error());
            changes += heat == before ? 0 : 1;
        }
        return changes;
    }

    @ParameterizedTest
    @CsvSource({"10, 0.2", "10, 0.05", "100, 0.5", "100, 0.02", "400, 0.2", "400, 0.9"})
    void whatIsToldDoesNotTremble(double readsPerSecond, double misses) {
        run(readsPerSecond, misses, 3600);
        int changes = run(readsPerSecond, misses, 3600);
        assertTrue(changes <= 12, changes + " changes in an hour");
    }

    @ParameterizedTest
    @CsvSource({"100, 0.2", "400, 0.2", "400, 0.5"})
    void whatIsToldIsRightAfterAWhile(double readsPerSecond, double misses) {
        run(readsPerSecond, misses, 600);
        assertEquals(misses, heat.value(), 0.1 * misses);
    }

    @Test
    void aNodeThatWarmsUpTellsItWithinSeconds() {
        run(300, 1, 60);
        assertSame(Heat.missRatio(1), heat);
        run(300, 0.5, 8);
        assertEquals(0.5, heat.value(), 0.1);
        run(300, 0.1, 15);
        assertEquals(0.1, heat.value(), 0.04);
        run(300, 1, 10);
        assertEquals(1, heat.value(), 0.15);
    }

    @Test
    void nothingButTheFirstIsToldWithoutReads() {
        ToldHeat times = new ToldHeat(Heat.Kind.READ_TIME);
        assertSame(Heat.readTimeNanos(1e6), times.measured(1e6, 0));
        assertSame(Heat.readTimeNanos(1e6), times.measured(1.019e6, 0), "a difference that does not matter");
        assertSame(Heat.readTimeNanos(1e6), times.measured(1.3e6, 4e5), "a difference by chance");
        assertSame(Heat.readTimeNanos(1.3e6), times.measured(1.3e6, 1e5));
    }
}
