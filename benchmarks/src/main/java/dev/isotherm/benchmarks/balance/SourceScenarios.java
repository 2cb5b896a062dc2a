// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.balance;

/** The scenarios in which nothing happens that should change shares, by each source of heat. */
final class SourceScenarios {
    private SourceScenarios() {}

    static Scenario pauses(int nodes, HeatSource source, double every, double lasts) {
        Scenario scenario = new Scenario(
                String.format("pauses of %.1f s each %.0f s, heat by %s", lasts, every, words(source)), nodes);
        scenario.allPause(300, every, lasts);
        scenario.source = source;
        // The guard moves reads away from a node that pauses, which is right; here the heat alone is looked at.
        scenario.guarded = false;
        scenario.eventSecond = 300;
        scenario.downSecond = 300;
        scenario.seconds = 320;
        scenario.promisesOnly(Promise.EVEN_SHARES);
        return source == HeatSource.READ_TIME ? scenario.doesNotKeep(1.7, Promise.EVEN_SHARES) : scenario;
    }

    /** Nothing happens, but disks have a queue: a read time that includes the wait says how much a node was given. */
    static Scenario busyDisks(HeatSource source, double load) {
        String name = String.format("disks at %.0f %% and nothing happens, heat from %s", 100 * load, words(source));
        Scenario scenario = new Scenario(name, 3).withDiskLoad(load, Scenarios.STEADY_MISS_RATIO);
        scenario.source = source;
        scenario.eventSecond = 300;
        scenario.downSecond = 300;
        scenario.seconds = 320;
        return scenario.promisesOnly(Promise.EVEN_SHARES);
    }

    static String words(HeatSource source) {
        return source == HeatSource.READ_TIME ? "read times" : source == HeatSource.DISK ? "the disk" : "the cache";
    }
}
