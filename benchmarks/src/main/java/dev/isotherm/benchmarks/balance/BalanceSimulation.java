// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.balance;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/** Runs the scenarios under all policies, prints the table, writes the summary and says which promises are broken. */
public final class BalanceSimulation {
    private static final long SEED = 20170914;
    private static final Path SUMMARY = Path.of("results", "simulate", "summary.json");
    private static final String USAGE = "usage: make simulate [SCENARIO='words of the scenarios']";

    private final PrintStream out;
    private final PrintStream progress;
    private final AtomicInteger done = new AtomicInteger();

    /** @param progress receives lines that report the progress */
    BalanceSimulation(PrintStream out, PrintStream progress) {
        this.out = out;
        this.progress = progress;
    }

    /** Ends with an error if a promise is broken that is not known to be. */
    public static void main(String[] args) throws IOException {
        String words = String.join(" ", args);
        List<Scenario> chosen = Scenarios.all().stream()
                .filter(scenario -> scenario.toString().contains(words))
                .collect(Collectors.toList());
        if (chosen.isEmpty()) {
            System.err.println("no scenario has '" + words + "' in its name\n" + USAGE);
            System.exit(2);
        }
        Promises promises = new BalanceSimulation(System.out, System.err).run(chosen, SUMMARY);
        promises.broken().forEach(sentence -> System.err.println("BROKEN: " + sentence));
        if (promises.status() != 0) {
            System.exit(promises.status());
        }
    }

    /** Runs the scenarios, one thread per processor; returns what came of the promises. */
    Promises run(List<Scenario> scenarios, Path summary) throws IOException {
        long begin = System.nanoTime();
        List<Outcome> outcomes = new ArrayList<>();
        ExecutorService threads =
                Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
        try {
            List<Future<Outcome>> futures = new ArrayList<>();
            long total = scenarios.stream().mapToLong(s -> s.policies.size()).sum();
            for (Scenario scenario : scenarios) {
                for (Policy policy : scenario.policies) {
                    futures.add(threads.submit(() -> simulate(scenario, policy, total)));
                }
            }
            for (Future<Outcome> future : futures) {
                outcomes.add(future.get());
            }
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException("a simulation failed", e);
        } finally {
            threads.shutdownNow();
        }
        BalanceTable.print(outcomes, out);
        Promises promises = new Promises();
        for (Scenario scenario : scenarios) {
            promises.check(outcomesOf(scenario, outcomes));
        }
        write(summary, scenarios, outcomes, promises);
        scenarios.stream()
                .filter(s -> s.measured != null)
                .forEach(s -> out.println(s + ": " + s.measured.beside(isothermOf(s, outcomes))));
        outcomes.stream().filter(o -> o.scenario.auto).forEach(o -> out.println(placementLine(o)));
        out.println();
        promises.notKept().forEach(sentence -> out.println("Not kept: " + sentence));
        out.printf("%nSimulated in %.0f s. Summary: %s%n", (System.nanoTime() - begin) / 1e9, summary);
        out.println(promises.closing());
        return promises;
    }

    private Outcome simulate(Scenario scenario, Policy policy, long total) {
        long begin = System.nanoTime();
        List<Outcome> runs = new ArrayList<>();
        for (int run = 0; run < scenario.runs; run++) {
            runs.add(new Outcome(new Simulation(scenario, policy, SEED + run).run((simulation, second) -> {
                if (scenario.nodes > 99 && second % 10 == 0) {
                    progress.printf("%s, %s: %d of %d s%n", scenario, policy, second, scenario.seconds);
                }
            })));
        }
        Outcome outcome = Outcome.ofRuns(runs);
        progress.printf(
                "%d of %d: %s, %s (%.0f s)%n",
                done.incrementAndGet(), total, scenario, policy, (System.nanoTime() - begin) / 1e9);
        return outcome;
    }

    private static String placementLine(Outcome o) {
        return String.format(
                Locale.ROOT,
                "%s, %s: mean %.2f ms, p99 %.1f, %.1f misses/s of a node, %d changes of placement of a node,"
                        + " the last after %d s",
                o.scenario,
                o.policy,
                o.meanMillis,
                o.p99Millis,
                o.misses,
                o.placementChanges,
                o.lastPlacementChange);
    }

    private static List<Outcome> outcomesOf(Scenario scenario, List<Outcome> outcomes) {
        return outcomes.stream().filter(o -> o.scenario == scenario).collect(Collectors.toList());
    }

    private static Outcome isothermOf(Scenario scenario, List<Outcome> outcomes) {
        return Outcome.of(Policy.ISOTHERM, outcomesOf(scenario, outcomes)).orElseThrow();
    }

    private static void write(Path file, List<Scenario> scenarios, List<Outcome> outcomes, Promises promises)
            throws IOException {
        List<Map<String, Object>> listed = new ArrayList<>();
        for (Scenario scenario : scenarios) {
            Map<String, Object> values = new LinkedHashMap<>();
            values.put("name", scenario.name);
            values.put("nodes", scenario.nodes);
            values.put("event_s", scenario.eventSecond);
            values.put("down_s", scenario.downSecond);
            values.put("can_rejoin", scenario.canRejoin());
            values.put("measured", scenario.measured == null ? null : scenario.measured.summary());
            values.put(
                    "outcomes",
                    outcomesOf(scenario, outcomes).stream()
                            .map(Outcome::summary)
                            .collect(Collectors.toList()));
            listed.add(values);
        }
        Map<String, Object> summary = new LinkedHashMap<>();
        summary.put("seed", SEED);
        summary.put("scenarios", listed);
        summary.put("broken", promises.broken());
        summary.put("not_kept", promises.notKept());
        summary.put("kept_after_all", promises.keptAfterAll());
        Files.createDirectories(file.toAbsolutePath().getParent());
        new ObjectMapper().writeValue(file.toFile(), summary);
    }
}
