// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.heat;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * A prepared, repeating sequence of reads: the tokens of skewed keys, each key's replica group, and two random numbers
 * per read. The sequence is too long for a processor to predict.
 */
final class Reads {
    static final int COUNT = 1 << 16;
    private static final int KEYS = 100_000;
    static final int GROUPS = 16;

    final long[] tokens = new long[COUNT];
    final int[] groups = new int[COUNT];
    final double[] us = new double[COUNT];
    final double[] vs = new double[COUNT];

    Reads(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        double[] cumulative = new double[KEYS];
        double sum = 0;
        // Zipf's law: the i-th most popular key is read in proportion to 1/i.
        for (int key = 0; key < KEYS; key++) {
            cumulative[key] = sum += 1.0 / (key + 1);
        }
        for (int i = 0; i < COUNT; i++) {
            int key = Arrays.binarySearch(cumulative, random.nextDouble() * sum);
            tokens[i] = new SplittableRandom(key).nextLong();
            groups[i] = (int) (tokens[i] >>> 60);
            us[i] = random.nextDouble();
            vs[i] = random.nextDouble();
        }
    }
}
