// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.balance;

import java.util.Arrays;
import java.util.SplittableRandom;

/** Which partition a request reads. */
final class Popularity {
    private final int partitions;
    /** The cumulated popularity of the ranks; null if all partitions are equally popular. */
    private final double[] cumulated;

    private final int[] byRank;
    private double hotFraction;
    private int stride = 1;

    /** @param exponent of Zipf's law, 0 for equally popular partitions */
    Popularity(int partitions, double exponent, SplittableRandom random) {
        this.partitions = partitions;
        byRank = new int[exponent > 0 ? partitions : 1];
        for (int i = 0; i < byRank.length; i++) {
            int j = random.nextInt(i + 1);
            byRank[i] = byRank[j];
            byRank[j] = i;
        }
        if (exponent == 0) {
            byRank[0] = random.nextInt(partitions);
            cumulated = null;
            return;
        }
        cumulated = new double[partitions];
        double sum = 0;
        for (int rank = 0; rank < partitions; rank++) {
            sum += Math.pow(rank + 1, -exponent);
            cumulated[rank] = sum;
        }
        for (int rank = 0; rank < partitions; rank++) {
            cumulated[rank] /= sum;
        }
    }

    /** From now on this part of all requests reads one partition. */
    void setHotFraction(double fraction) {
        hotFraction = fraction;
    }

    /** From now on of so many partitions one is read, all equally popular ones equally often. */
    void setStride(int every) {
        stride = every;
    }

    int draw(SplittableRandom random) {
        if (hotFraction > 0 && random.nextDouble() < hotFraction) {
            return byRank[0];
        }
        if (cumulated == null) {
            return stride * random.nextInt(partitions / stride);
        }
        int found = Arrays.binarySearch(cumulated, random.nextDouble());
        return byRank[Math.min(partitions - 1, found < 0 ? -found - 1 : found + 1)];
    }
}
