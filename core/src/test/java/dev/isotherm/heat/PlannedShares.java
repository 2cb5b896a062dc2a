// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import java.util.Arrays;

/** The shares of plans, for tests. */
final class PlannedShares {
    private static final BalanceSettings AFFINITY = BalanceSettings.defaults().withPlacement(Placement.AFFINITY);

    private PlannedShares() {}

    static double[] of(ReadPlan plan) {
        double[] shares = new double[plan.size()];
        Arrays.setAll(shares, plan::shareOf);
        return shares;
    }

    /** Of the plan for these heats under affinity, with so many requests a second. */
    static double[] of(Heat[] heats, double requests, int k) {
        return of(heats, new boolean[heats.length], requests, k);
    }

    /** The same, while copies of reads warm some of the replicas. */
    static double[] of(Heat[] heats, boolean[] warmed, double requests, int k) {
        Standing[] standings = new Standing[warmed.length];
        Arrays.setAll(standings, i -> warmed[i] ? Standing.WARMED : Standing.USED);
        return of(heats, standings, requests, k);
    }

    static double[] of(Heat[] heats, Standing[] standings, double requests, int k) {
        return of(ReadPlan.of(heats, new RequestRate[heats.length], standings, () -> requests, k, -1, AFFINITY));
    }
}
