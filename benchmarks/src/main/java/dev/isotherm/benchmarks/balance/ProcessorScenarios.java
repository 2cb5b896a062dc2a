// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.balance;

import java.util.List;
import java.util.function.BiFunction;

/** The scenarios in which processors are the scarce thing: warm nodes miss nothing. */
final class ProcessorScenarios {
    /**
     * What a contact of another node takes of the processors of each of the two, in parts of what serving a read takes:
     * the least of what the lab shows.
     */
    private static final double REMOTE_PART = 0.5;

    private ProcessorScenarios() {}

    static List<Scenario> ofManyNodes() {
        return List.of(
                rack(99, 0.67),
                // Where messages take nothing, whoever reads from itself waits twice for the same processors.
                oneCold(99, 0.72).doesNotKeep(Promise.LATENCY),
                withMessages(ProcessorScenarios::oneCold, 99, 0.72));
    }

    static List<Scenario> ofFewNodes() {
        return List.of(
                oneCold(12, 0.67),
                oneCold(12, 0.72).doesNotKeep(Promise.LATENCY),
                oneCold(12, 0.80).doesNotKeep(Promise.LATENCY),
                oneCold(3, 0.72).doesNotKeep(Promise.LATENCY).doesNotKeep(1.05, Promise.STOCK),
                rack(12, 0.67),
                withMessages(ProcessorScenarios::oneCold, 12, 0.72),
                withMessages(ProcessorScenarios::oneCold, 12, 0.80).doesNotKeep(Promise.STOCK),
                withMessages(ProcessorScenarios::rack, 12, 0.67).doesNotKeep(1.4, Promise.LATENCY, Promise.STOCK));
    }

    static Scenario oneCold(int nodes, double load) {
        String name = String.format("processors at %.0f %%", 100 * load);
        return of(Scenarios.coldReturn(name, nodes, nodes - 1), load);
    }

    static Scenario rack(int nodes, double load) {
        String name = String.format("a rack back cold, processors at %.0f %%", 100 * load);
        return of(Scenarios.cooledAtOnce(name, nodes, Scenarios.rackOf(nodes)), load)
                .promises(Promise.REJOINING);
    }

    private static Scenario of(Scenario scenario, double load) {
        scenario.requestsPerNode = 250;
        scenario.cachedRows = scenario.rowsPerNode;
        scenario.diskPlaces = 4;
        scenario.diskNanos = 9_000_000;
        return scenario.withProcessorLoad(load);
    }

    /** The same, and messages take processors, too. */
    private static Scenario withMessages(BiFunction<Integer, Double, Scenario> kind, int nodes, double load) {
        Scenario scenario = kind.apply(nodes, load);
        scenario.name += ", messages included";
        return scenario.withProcessorLoad(load, REMOTE_PART);
    }
}
