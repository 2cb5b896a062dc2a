// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.balance;

import java.util.List;
import java.util.stream.IntStream;

/**
 * The scenarios of two datacenters, with three replicas in three racks of each. What becomes cold is in the second;
 * where reads stay in their datacenter, nothing may change in the first.
 */
final class DatacenterScenarios {
    private DatacenterScenarios() {}

    static List<Scenario> of(int nodes) {
        int[] second = IntStream.range(nodes / 2, nodes).toArray();
        int[] rack = IntStream.range(nodes / 2, nodes)
                .filter(node -> (node - nodes / 2) % 3 == 2)
                .toArray();
        return List.of(
                local(Scenarios.steady(nodes, "two datacenters, nothing happens")),
                warming(Scenarios.coldReturn("two datacenters, one cold node", nodes, nodes - 1)),
                // The warm nodes go on with what they served while the rack was down.
                warming(Scenarios.cooledAtOnce("two datacenters, a rack of one back cold", nodes, rack)
                                .promises(Promise.REJOINING))
                        .doesNotKeep(1.1, Promise.LOAD),
                // All of its disks are busy to the limit for ten seconds: p99 is a matter of chance, by the seed.
                warming(Scenarios.cooledAtOnce("two datacenters, all of one back cold", nodes, second))
                        .doesNotKeep(2, Promise.STOCK),
                overBoth(Scenarios.coldReturn("two datacenters, QUORUM over both, one cold node", nodes, nodes - 1)));
    }

    private static Scenario local(Scenario scenario) {
        scenario.datacenters = 2;
        scenario.readsAreLocal = true;
        scenario.guarded = true;
        return scenario.promises(Promise.STAYING);
    }

    private static Scenario warming(Scenario scenario) {
        return local(scenario).promises(Promise.EVEN_ELSEWHERE);
    }

    /** As many reads for each node as the others; a read waits for one replica of the other datacenter. */
    private static Scenario overBoth(Scenario scenario) {
        scenario.datacenters = 2;
        scenario.guarded = true;
        // All replicas of the coordinator's datacenter are contacted, a cold one too: p99 of the first 5 s is 2.6 times
        // that before, and 3.6 times with more nodes, of which 1.5 are promised.
        scenario.withReads(200).doesNotKeep(scenario.nodes > 12 ? 2.6 : 1.9, Promise.FIRST_SECONDS);
        // Of more nodes one has a disk without any time left: p99 is a matter of chance, whatever the order.
        return scenario.nodes > 12 ? scenario.doesNotKeep(Promise.LATENCY, Promise.STOCK) : scenario;
    }
}
