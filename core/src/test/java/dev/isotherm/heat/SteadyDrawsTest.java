// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class SteadyDrawsTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long MINUTE = 1L << 36;
    private static final int TOKENS = 200_000;
    private static final int PARTS = 10;

    private final SteadyDraws draws = new SteadyDraws(7);

    @Property(seed = "113")
    void theyAreTheSameForAboutAMinute(@ForAll long token, @ForAll long nowNanos) {
        long begun = nowNanos & -MINUTE;
        for (long at = begun; at < begun + MINUTE - SECOND && at >= begun; at += 10 * SECOND) {
            assertEquals(draws.replicas(token, begun), draws.replicas(token, at));
            assertEquals(draws.order(token, begun), draws.order(token, at));
        }
        assertNotEquals(draws.replicas(token, begun), draws.replicas(token, begun + MINUTE));
        assertNotEquals(draws.replicas(token, begun), new SteadyDraws(8).replicas(token, begun));
    }

    /** Of consecutive tokens as well: each pair of tenths has its hundredth. */
    @Test
    void bothAreUniformAndUnrelated() {
        int[][] counts = new int[PARTS][PARTS];
        for (int token = 0; token < TOKENS; token++) {
            counts[(int) (PARTS * draws.replicas(token, 5))][(int) (PARTS * draws.order(token, 5))]++;
        }
        double expected = (double) TOKENS / PARTS / PARTS;
        for (int[] row : counts) {
            for (int count : row) {
                assertEquals(expected, count, 5 * Math.sqrt(expected));
            }
        }
    }
}
