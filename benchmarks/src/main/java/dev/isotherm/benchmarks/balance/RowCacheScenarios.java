// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.balance;

import java.util.List;

/** The scenarios in which a heat of the row cache's misses, which does not say what they take, makes a difference. */
final class RowCacheScenarios {
    /** Nodes rejoin after the time simulated, or never. */
    private static final double NEVER = Double.POSITIVE_INFINITY;

    private RowCacheScenarios() {}

    static List<Scenario> all() {
        return List.of(
                byCache(Scenarios.oneCold(12)),
                byCache(Scenarios.secondFails(3)).doesNotKeep(3.6, Promise.LATENCY, Promise.STOCK),
                byCache(ProcessorScenarios.oneCold(12, 0.67)).doesNotKeep(NEVER, Promise.REJOINING),
                byCache(ProcessorScenarios.oneCold(12, 0.72))
                        .doesNotKeep(Promise.LATENCY, Promise.STOCK)
                        .doesNotKeep(NEVER, Promise.REJOINING),
                byCache(ProcessorScenarios.oneCold(12, 0.80))
                        .doesNotKeep(1.4, Promise.LATENCY, Promise.STOCK)
                        .doesNotKeep(NEVER, Promise.REJOINING),
                byCache(ProcessorScenarios.rack(12, 0.67))
                        .doesNotKeep(1.85, Promise.LATENCY, Promise.STOCK, Promise.LOAD)
                        .doesNotKeep(NEVER, Promise.REJOINING),
                byCache(HotPartitionScenarios.atQuorum(12, 0.18))
                        .doesNotKeep(Promise.LATENCY, Promise.STOCK, Promise.LOAD));
    }

    private static Scenario byCache(Scenario scenario) {
        scenario.name += ", heat from the row cache";
        scenario.source = HeatSource.CACHE;
        return scenario;
    }
}
