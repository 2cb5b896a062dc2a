// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import dev.isotherm.common.Allowed;

/**
 * The share of a replica group's contacts that each replica should get, so that all replicas have equally many cache
 * misses.
 */
public final class Shares {
    /*
     * With m_i misses per read, replica i misses as often as the others if its share P_i is proportional to 1/m_i. A
     * read contacts k different replicas, so no share may exceed 1/k:
     *
     *     P_i = min(1/k, lambda / m_i),  sum of P = 1.
     *
     * The sum grows with lambda, so there is one solution. Clipping some shares leaves more for the others, which may
     * lift further shares over the limit: the clipping is repeated until no share is above the limit. Each round's
     * lambda is at least that of the round before, so no clipped share has to be released again, and there are at most
     * N rounds.
     */
    private Shares() {}

    /**
     * Shares proportional to 1/max(missFloor, miss), each at most 1/k, summing to one.
     *
     * @param missRatios misses per read of each replica, 0 to 1
     * @param k replicas contacted per read, 1 to the number of replicas
     * @param missFloor the least miss ratio used, above 0, at most 1
     * @return one share per replica, in the order given; equal ratios get exactly equal shares
     * @throws IllegalArgumentException naming the argument, its value and what is allowed
     */
    public static double[] of(double[] missRatios, int k, double missFloor) {
        Allowed.notEmpty("missRatios", missRatios);
        for (int i = 0; i < missRatios.length; i++) {
            Allowed.ratio("missRatios", i, missRatios[i]);
        }
        Allowed.contacts(k, missRatios.length);
        Allowed.positiveRatio("missFloor", missFloor);

        double least = 1;
        for (double miss : missRatios) {
            least = Math.min(least, Math.max(missFloor, miss));
        }
        // Relative to the least miss ratio a weight lies in (0, 1], so that nothing can overflow.
        double[] weights = new double[missRatios.length];
        for (int i = 0; i < weights.length; i++) {
            weights[i] = least / Math.max(missFloor, missRatios[i]);
        }
        return clipped(weights, k);
    }

    private static double[] clipped(double[] weights, int k) {
        double cap = 1.0 / k;
        double[] shares = new double[weights.length];
        boolean[] full = new boolean[weights.length];
        int fullCount = 0;
        boolean again = true;
        while (again) {
            double freeWeight = 0;
            for (int i = 0; i < weights.length; i++) {
                if (!full[i]) {
                    freeWeight += weights[i];
                }
            }
            double lambda = (k - fullCount) / (double) k / freeWeight;
            again = false;
            for (int i = 0; i < weights.length; i++) {
                if (full[i]) {
                    continue;
                }
                shares[i] = lambda * weights[i];
                if (shares[i] >= cap) {
                    shares[i] = cap;
                    full[i] = true;
                    fullCount++;
                    again = true;
                }
            }
            if (fullCount == weights.length) {
                again = false;
            }
        }
        return shares;
    }
}
