// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;

import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Who follows the drawn replicas, for speculative retries: drawn by what this coordinator gives each of the rest. */
class SpeculativeReplicaTest {
    private static final int NUMBERS = 20_000;

    @Provide
    Arbitrary<Group> groups() {
        return Group.withChoice();
    }

    /** Not by the group's shares, of which the coordinator's own differ wherever it keeps reads for itself. */
    @Property(tries = 200, seed = "56")
    void theNextReplicaIsDrawnByTheCoordinatorsOwnShares(@ForAll("groups") Group group) {
        for (int self = 0; self < group.size(); self++) {
            ReadPlan plan = ReadPlan.of(ReadPlanTest.misses(group.misses), group.k, self, BalanceSettings.defaults());
            if (plan == null) {
                return;
            }
            double u = group.random.nextDouble();
            int[] order = new int[group.size()];
            plan.order(0, u, 0, order);
            double left = 0;
            for (int place = group.k; place < order.length; place++) {
                left += plan.shareOf(order[place]);
            }
            if (left < 1e-9) {
                continue;
            }
            double[] frequency = new double[group.size()];
            for (int number = 0; number < NUMBERS; number++) {
                plan.order(0, u, (number + 0.5) / NUMBERS, order);
                frequency[order[group.k]] += 1.0 / NUMBERS;
            }
            for (int place = group.k; place < order.length; place++) {
                int replica = order[place];
                // Each interval of v may gain or lose a number at each of its ends, once for each leader.
                assertEquals(plan.shareOf(replica) / left, frequency[replica], 2.0 * group.k * group.size() / NUMBERS);
            }
        }
    }
}
