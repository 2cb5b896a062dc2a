// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.share;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** All operations take longer for a moment, as while a disk is flushed, on a pool that is otherwise half idle. */
class SharesAroundStallsTest {
    private static final int THREADS = 32;
    private static final double COST = 0.01;
    private static final double SECONDS_LET_GO = 10;

    @ParameterizedTest
    @CsvSource({"10, 1", "10, 3", "10, 4", "30, 2", "30, 4", "100, 2", "100, 4"})
    void afterAStallNothingIsRefusedForLong(double times, double stallSeconds) {
        double[] costs = new double[1_001];
        Arrays.fill(costs, COST);
        VirtualPool pool = new VirtualPool(THREADS, costs, 1, new Unheard());
        pool.rate(0, 8 / COST);
        for (int small = 1; small <= 1_000; small++) {
            pool.rate(small, 8 / COST / 1_000);
        }
        assertEquals(0, refused(pool.run(20)));
        Arrays.fill(costs, times * COST);
        assertTrue(refused(pool.run(stallSeconds)) > 0, "the stall saturates it");
        Arrays.fill(costs, COST);
        pool.run(SECONDS_LET_GO);
        assertEquals(0, refused(pool.run(30)));
    }

    private static double refused(VirtualPool.Tally[] tallies) {
        return Arrays.stream(tallies).mapToDouble(tally -> tally.refused).sum();
    }
}
