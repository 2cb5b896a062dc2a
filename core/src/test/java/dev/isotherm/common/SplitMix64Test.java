// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.common;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.LongUnaryOperator;
import org.apache.commons.math3.stat.inference.ChiSquareTest;
import org.junit.jupiter.api.Test;

class SplitMix64Test {
    @Test
    void spreadsTokensOfEveryPatternEvenly() {
        SplittableRandom random = new SplittableRandom(1);
        LongUnaryOperator[] patterns = {
            i -> i,
            i -> -i,
            i -> i << 40,
            i -> Long.MIN_VALUE + i * 1_000_003,
            // One of 256 ranges of the ring, as a replica group owns it.
            i -> 0x4200000000000000L | random.nextLong() >>> 8,
        };
        for (int pattern = 0; pattern < patterns.length; pattern++) {
            long[] observed = new long[100];
            for (int i = 0; i < 100_000; i++) {
                double point = SplitMix64.pointOf(patterns[pattern].applyAsLong(i));
                assertTrue(point >= 0 && point < 1);
                observed[(int) (point * 100)]++;
            }
            double[] expected = new double[100];
            Arrays.fill(expected, 1);
            assertTrue(new ChiSquareTest().chiSquareTest(expected, observed) > 0.001, "pattern " + pattern);
        }
    }

    @Test
    void staysInRangeAtTheEndsOfTheRing() {
        for (long token : new long[] {Long.MIN_VALUE, -1, 0, 1, Long.MAX_VALUE}) {
            double point = SplitMix64.pointOf(token);
            assertTrue(point >= 0 && point < 1);
            assertEquals(point, SplitMix64.pointOf(token), 0);
        }
    }

    /** All coordinators of a cluster must agree, also during a rolling upgrade: the points are fixed. */
    @Test
    void thePointsStayTheSameFromReleaseToRelease() {
        assertEquals(0.8833108082136426, SplitMix64.pointOf(0), 0);
        assertEquals(0.5665615751722809, SplitMix64.pointOf(1), 0);
        assertEquals(0.8939429202831845, SplitMix64.pointOf(-1), 0);
    }
}
