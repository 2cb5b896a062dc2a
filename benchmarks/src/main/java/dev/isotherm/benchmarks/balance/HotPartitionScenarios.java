// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.balance;

import dev.isotherm.heat.Placement;

/** The scenarios in which one partition begins to get a large part of all requests. */
final class HotPartitionScenarios {
    private HotPartitionScenarios() {}

    static Scenario atQuorum(int nodes, double part) {
        Scenario scenario = new Scenario(String.format("one partition with %.0f %%", 100 * part), nodes);
        scenario.eventSecond = Scenarios.DOWN;
        scenario.guarded = nodes <= 12;
        return scenario.hot(Scenarios.DOWN, part);
    }

    /** By its token alone one node would serve all of its reads. */
    static Scenario atOne(int nodes, double part) {
        Scenario scenario = new Scenario(
                String.format("one partition with %.0f %%, affinity, one replica a read", 100 * part), nodes);
        scenario.eventSecond = Scenarios.DOWN;
        scenario.guarded = true;
        scenario.placement = Placement.AFFINITY;
        scenario.readsOne = true;
        return scenario.hot(Scenarios.DOWN, part);
    }
}
