// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.isotherm.benchmarks.RunResults;
import dev.isotherm.benchmarks.Shortfalls;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.results.RunResult;

/** A planned draw is judged by both rivals of the same run. */
class PlanSummaryTest {
    private final Map<String, Long> nanos = new TreeMap<>(
            Map.of("planned", 10L, "plannedAffinity", 12L, "recomputed", 150L, "recomputedReusing", 100L));

    /** @param bytes what those allocate that allocate a byte or more */
    private Shortfalls judged(Map<String, Double> bytes, boolean isWhole) {
        List<RunResult> results = new ArrayList<>();
        nanos.forEach((name, time) -> results.add(RunResults.of(
                "dev.isotherm.benchmarks.heat.DrawBenchmark." + name,
                Map.of("group", "3,2"),
                time,
                bytes.getOrDefault(name, 0.2))));
        Shortfalls shortfalls = new Shortfalls(isWhole);
        new PlanSummary(results).print(new PrintStream(new ByteArrayOutputStream()), shortfalls);
        return shortfalls;
    }

    private List<String> slow() {
        return judged(Map.of(), true).slow();
    }

    @Test
    void whatKeepsThePromisesFallsShortOfNone() {
        assertEquals(List.of(), slow());
        assertEquals(List.of(), judged(Map.of(), true).broken());
    }

    @Test
    void eachRivalJudges() {
        nanos.put("recomputed", 140L);
        assertEquals(
                List.of("N,K = 3,2: a draw is 14.0 x cheaper than one that recomputes, promised are 15 x"), slow());
        nanos.put("recomputed", 150L);
        nanos.put("recomputedReusing", 99L);
        assertEquals(
                List.of("N,K = 3,2: a draw is 9.9 x cheaper than one that does with reused arrays, promised are 10 x"),
                slow());
    }

    @Test
    void whereARivalWasNotRunNothingIsPromisedBesideIt() {
        nanos.remove("recomputed");
        nanos.remove("recomputedReusing");
        assertEquals(List.of(), judged(Map.of(), false).slow());
        assertEquals(List.of(), judged(Map.of(), false).broken());
    }

    @Test
    void eachThatAWholeRunLeavesOutIsMissed() {
        for (String name : List.copyOf(nanos.keySet())) {
            long kept = nanos.remove(name);
            assertEquals(
                    name.equals("planned") ? 3 : 1,
                    judged(Map.of(), true).broken().size(),
                    name);
            nanos.put(name, kept);
        }
        nanos.clear();
        assertEquals(
                List.of("not measured: one read's draw"), judged(Map.of(), true).broken());
    }

    @Test
    void aDrawThatAllocatesIsNamedWhetherTheOtherWasRunOrNot() {
        nanos.remove("plannedAffinity");
        assertEquals(
                List.of("N,K = 3,2: a draw allocates 1.0 bytes, promised are none"),
                judged(Map.of("planned", 1.0), false).broken());
    }

    @Test
    void aDrawThatAllocatesIsNamed() {
        assertEquals(
                List.of("N,K = 3,2: a draw allocates 1.0 bytes, promised are none"),
                judged(Map.of("planned", 1.0), true).broken());
        assertEquals(
                List.of("N,K = 3,2: a draw under affinity allocates 1.0 bytes, promised are none"),
                judged(Map.of("plannedAffinity", 1.0), true).broken());
    }
}
