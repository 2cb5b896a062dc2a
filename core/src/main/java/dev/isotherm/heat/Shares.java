// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import dev.isotherm.common.Allowed;
import java.util.Arrays;

/**
 * The share of a replica group's contacts that each replica should get, so that all replicas have equally many cache
 * misses.
 */
public final class Shares {
    /*
     * With m_i misses per read, replica i misses as often as the others if its share P_i is proportional to 1/m_i. A
     * read contacts k different replicas, so no share may exceed 1/k, or less where a replica is to get less:
     *
     *     P_i = min(most_i, lambda / m_i),  sum of P = 1.
     *
     * The sum grows with lambda, so there is one solution. Clipping some shares leaves more for the others, which may
     * lift further shares over the limit: the clipping is repeated until no share is above the limit. Each round's
     * lambda is at least that of the round before, so no clipped share has to be released again, and there are at most
     * N rounds.
     */
    private Shares() {}

    /** As {@link #of(double[], int, double, double[], double[])}, without least shares, and with 1/k as the most. */
    public static double[] of(double[] missRatios, int k, double missFloor) {
        int n = missRatios == null ? 0 : missRatios.length;
        return of(missRatios, k, missFloor, new double[n], mostOfAny(n, k));
    }

    /** The most that any replica can get, 1/k, for each of n. */
    static double[] mostOfAny(int n, int k) {
        double[] most = new double[n];
        Arrays.fill(most, 1.0 / k);
        return most;
    }

    /**
     * Shares proportional to 1/max(missFloor, miss), each at least its least share and at most its most, summing to
     * one.
     *
     * @param missRatios misses per read of each replica, 0 to 1
     * @param k replicas contacted per read, 1 to the number of replicas
     * @param missFloor the least miss ratio used, above 0, at most 1
     * @param least the least share of each replica, 0 to an equal share, and to its most
     * @param most the most of each replica, above 0, up to 1/k; together one or more
     * @return one share per replica, in the order given; equal ratios with equal least shares get exactly equal shares
     * @throws IllegalArgumentException naming the argument, its value and what is allowed
     */
    static double[] of(double[] missRatios, int k, double missFloor, double[] least, double[] most) {
        Allowed.notEmpty("missRatios", missRatios);
        for (int i = 0; i < missRatios.length; i++) {
            Allowed.ratio("missRatios", i, missRatios[i]);
        }
        Allowed.contacts(k, missRatios.length);
        Allowed.positiveRatio("missFloor", missFloor);

        double lowest = 1;
        for (double miss : missRatios) {
            lowest = Math.min(lowest, Math.max(missFloor, miss));
        }
        // Relative to the least miss ratio a weight lies in (0, 1], so that nothing can overflow.
        double[] weights = new double[missRatios.length];
        for (int i = 0; i < weights.length; i++) {
            weights[i] = lowest / Math.max(missFloor, missRatios[i]);
        }
        return raised(weights, least, most);
    }

    private static double[] raised(double[] weights, double[] least, double[] most) {
        boolean[] raised = new boolean[weights.length];
        double left = 1;
        while (true) {
            double[] shares = clipped(weights, most, raised, left);
            boolean again = false;
            for (int i = 0; i < shares.length; i++) {
                if (raised[i]) {
                    shares[i] = least[i];
                } else if (shares[i] < least[i]) {
                    raised[i] = true;
                    left -= least[i];
                    again = true;
                }
            }
            if (!again) {
                return shares;
            }
        }
    }

    /** The shares of those that are not excluded, summing to so much. */
    private static double[] clipped(double[] weights, double[] most, boolean[] excluded, double sum) {
        double taken = 0;
        double[] shares = new double[weights.length];
        boolean[] full = excluded.clone();
        boolean again = true;
        while (again) {
            double freeWeight = 0;
            for (int i = 0; i < weights.length; i++) {
                if (!full[i]) {
                    freeWeight += weights[i];
                }
            }
            double lambda = (sum - taken) / freeWeight;
            again = false;
            for (int i = 0; i < weights.length; i++) {
                if (full[i]) {
                    continue;
                }
                shares[i] = lambda * weights[i];
                if (shares[i] >= most[i]) {
                    shares[i] = most[i];
                    full[i] = true;
                    taken += most[i];
                    again = true;
                }
            }
        }
        return shares;
    }
}
