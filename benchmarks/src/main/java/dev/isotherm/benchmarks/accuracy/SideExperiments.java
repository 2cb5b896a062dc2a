// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.accuracy;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * The experiments beside the table: other placements of clients and replicas, other clocks, load on other partitions,
 * long runs.
 */
final class SideExperiments {
    private static final double CROWD_PER_SECOND = 3e6;
    private static final long CLOCKS_APART_NANOS = 500_000_000;
    private static final int HOURS = 10;
    private static final int CROWD_SECONDS = 6;

    private SideExperiments() {}

    /** All side experiments, in any order of execution. */
    static List<Callable<SideRow>> all() {
        List<Callable<SideRow>> all = new ArrayList<>();
        for (Counter counter : Counter.values()) {
            for (int limit : new int[] {10, 100, 1_000}) {
                if (counter == Counter.DEFAULT || limit == 10) {
                    all.add(() -> crowd(poisson(limit, 5, Kind.WRITE, counter).withCrowdPerSecond(CROWD_PER_SECOND)));
                }
                for (double offered : new double[] {1.2, 10}) {
                    Scenario writes = poisson(limit, offered, Kind.WRITE, counter);
                    all.add(() -> plain("clocks 500 ms apart", writes.withClockSpreadNanos(CLOCKS_APART_NANOS)));
                    all.add(() -> plain("five replicas", writes.withReplicas(5)));
                    all.add(() -> plain("clients at one replica", writes.withEntry(Entry.ONE_REPLICA)));
                    all.add(() -> plain("reads at ONE", poisson(limit, offered, Kind.READ_ONE, counter)));
                }
                for (Kind kind : Kind.values()) {
                    for (double offered : new double[] {1.2, 2, 10, 100}) {
                        all.add(() ->
                                foreign(poisson(limit, offered, kind, counter).withEntry(Entry.NO_REPLICA)));
                    }
                }
                all.add(() -> plain(
                        "10 x the limit at each replica at once",
                        poisson(limit, 2, Kind.WRITE, counter).withBurst(10)));
            }
        }
        for (Counter counter : Counter.values()) {
            all.add(() -> plain("a large limit", poisson(1_000_000, 2, Kind.WRITE, counter)));
            all.add(() -> longRun(new Scenario(10, Arrivals.CONSTANT, 5, Kind.WRITE, counter)));
        }
        return all;
    }

    private static Scenario poisson(int limit, double offered, Kind kind, Counter counter) {
        return new Scenario(limit, Arrivals.POISSON, offered, kind, counter);
    }

    private static SideRow plain(String experiment, Scenario scenario) {
        return new SideRow(experiment, new Measurement(scenario).measure());
    }

    private static SideRow crowd(Scenario scenario) {
        Simulation simulation = new Simulation(scenario, 1);
        Tally tally = simulation.run(CROWD_SECONDS);
        SideRow row = new SideRow("3 million other operations/s", Row.of(scenario, tally, 2));
        double admitted = 0;
        double uncounted = 0;
        double evicted = 0;
        double dropped = 0;
        for (Crowd crowd : simulation.crowds()) {
            admitted += crowd.admittedRatio() / simulation.crowds().size();
        }
        for (Node node : simulation.nodes()) {
            uncounted += node.limiter().uncounted();
            evicted += node.limiter().evicted();
            dropped += node.dropped();
        }
        row.put("others_admitted_ratio", admitted);
        row.put("uncounted", uncounted);
        row.put("evicted", evicted);
        row.put("notes_dropped", dropped);
        return row;
    }

    /** The coordinators are no replicas: measures how often the replicas agree. */
    private static SideRow foreign(Scenario scenario) {
        Measurement measurement = new Measurement(scenario);
        Tally tally =
                new Simulation(scenario, 1).run(measurement.transientSeconds() + measurement.steadySeconds() / 4 + 2);
        SideRow row =
                new SideRow("coordinators are no replicas", Row.of(scenario, tally, measurement.transientSeconds()));
        if (scenario.kind == Kind.READ_ONE) {
            return row;
        }
        row.put("disagreements_per_decision", (double) tally.disagreements() / tally.decidedByReplicas());
        row.put("disagreements_per_applied", (double) tally.disagreements() / tally.appliedSomewhere());
        return row;
    }

    private static SideRow longRun(Scenario scenario) {
        int seconds = HOURS * 3600;
        Tally tally = new Simulation(scenario, 1).run(seconds);
        SideRow row = new SideRow(HOURS + " hours", Row.of(scenario, tally, 10));
        long worst = 0;
        for (int second = 10; second < seconds; second++) {
            worst = Math.max(worst, tally.admitted(second, second + 1));
        }
        row.put("worst_second", (double) worst / scenario.limit);
        return row;
    }

    static void print(List<SideRow> rows, PrintStream out) {
        out.printf(
                "%nBeside the table: Poisson arrivals, three replicas that coordinate alike, unless another is named%n%n");
        out.println("| experiment | limit | offered | kind | counter | steady | first second | more |");
        out.println("|---|---|---|---|---|---|---|---|");
        for (SideRow row : rows) {
            out.println(row.line());
        }
    }

    /** Checks the default limiter's results against the promises. */
    static void check(List<SideRow> rows, Promises promises) {
        for (SideRow row : rows) {
            if (row.row.scenario.counter != Counter.DEFAULT) {
                continue;
            }
            String what = row.experiment + ", " + row.row.scenario;
            if (row.row.scenario.burst() > 0) {
                promises.checkBurst(row.row);
            }
            if (row.experiment.startsWith("3 million")) {
                promises.atMost(1.2, row.row.steady, what);
            }
            if (row.experiment.startsWith("clocks")) {
                promises.atMost(1.3, row.row.steady, what);
            }
            if (row.more().containsKey("worst_second")) {
                promises.atMost(1.3, row.more().get("worst_second"), what);
            }
            if (row.row.limit() == 1_000_000) {
                promises.atMost(1.1, row.row.steady, what);
            }
        }
    }
}
