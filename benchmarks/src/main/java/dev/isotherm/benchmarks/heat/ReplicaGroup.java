// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.heat;

import dev.isotherm.heat.BalanceSettings;
import dev.isotherm.heat.Heat;
import dev.isotherm.heat.Placement;
import dev.isotherm.heat.ReadPlan;
import java.util.SplittableRandom;

/**
 * A group of N replicas, K contacted, as seen by one of the coordinators: one replica has restarted, and the others are
 * unevenly warm. The restarted replica, the heats and the coordinator's index differ from group to group.
 */
final class ReplicaGroup {
    final int n;
    final int k;
    final int self;
    final Heat[] heats;
    final double[] missRatios;

    /** The number-th group of "N,K". */
    ReplicaGroup(String replicasAndContacts, int number) {
        String[] parts = replicasAndContacts.split(",");
        n = Integer.parseInt(parts[0]);
        k = Integer.parseInt(parts[1]);
        SplittableRandom random = new SplittableRandom(number * 31 + n);
        self = random.nextInt(n);
        int cold = random.nextInt(n);
        heats = new Heat[n];
        missRatios = new double[n];
        for (int i = 0; i < n; i++) {
            heats[i] = Heat.missRatio(i == cold ? 1 : 0.1 + 0.2 * random.nextDouble());
            missRatios[i] = heats[i].value();
        }
    }

    ReadPlan plan(Placement placement) {
        return ReadPlan.of(heats, k, self, BalanceSettings.defaults().withPlacement(placement));
    }
}
