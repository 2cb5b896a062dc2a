// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks;

import dev.isotherm.heat.BalanceSettings;
import dev.isotherm.heat.Heat;
import dev.isotherm.heat.Placement;
import dev.isotherm.heat.ReadPlan;
import java.util.SplittableRandom;

/** A group of N replicas, K contacted, one of them restarted and the others unevenly warm. */
final class ReplicaGroup {
    final int n;
    final int k;
    /** The coordinator's place: in the middle, neither the cheapest nor the dearest row to compute. */
    final int self;
    final Heat[] heats;
    final double[] missRatios;

    /** From "N,K". */
    ReplicaGroup(String replicasAndContacts) {
        String[] parts = replicasAndContacts.split(",");
        n = Integer.parseInt(parts[0]);
        k = Integer.parseInt(parts[1]);
        self = n / 2;
        heats = new Heat[n];
        missRatios = new double[n];
        SplittableRandom random = new SplittableRandom(n);
        for (int i = 0; i < n; i++) {
            heats[i] = Heat.missRatio(i == 0 ? 1 : 0.1 + 0.2 * random.nextDouble());
            missRatios[i] = heats[i].value();
        }
    }

    ReadPlan plan(Placement placement) {
        return ReadPlan.of(heats, k, self, BalanceSettings.defaults().withPlacement(placement));
    }
}
