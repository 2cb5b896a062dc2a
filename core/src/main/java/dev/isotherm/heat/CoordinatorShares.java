// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import java.util.Arrays;

/** The fraction of a replica group's requests that reaches each replica as their coordinator. */
final class CoordinatorShares {
    /** Coordinators whose fractions lie no further than this part of their mean from it count as equal. */
    private static final double EVEN = 0.1;

    private CoordinatorShares() {}

    /**
     * The fractions by the rates that the replicas tell.
     *
     * @param rates one per replica; null where a rate is not known
     * @return one fraction per replica, summing to one; all equal where a rate is not known or there are no requests
     */
    static double[] of(RequestRate[] rates) {
        double[] fractions = new double[rates.length];
        double sum = 0;
        for (RequestRate rate : rates) {
            sum += rate == null ? Double.NaN : rate.perSecond();
        }
        if (!(sum > 0)) {
            Arrays.fill(fractions, 1.0 / rates.length);
            return fractions;
        }
        for (int i = 0; i < rates.length; i++) {
            fractions[i] = rates[i].perSecond() / sum;
        }
        return fractions;
    }

    /** Whether the fractions are so close that the operator's order spreads the reads evenly enough. */
    static boolean areEven(double[] fractions) {
        for (double fraction : fractions) {
            if (Math.abs(fraction * fractions.length - 1) > EVEN) {
                return false;
            }
        }
        return true;
    }
}
