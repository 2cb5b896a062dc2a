// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.isotherm.benchmarks.RunResults;
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

    private List<String> shortfalls(double bytes) {
        List<RunResult> results = new ArrayList<>();
        nanos.forEach((name, time) -> results.add(RunResults.of(
                "dev.isotherm.benchmarks.heat.DrawBenchmark." + name, Map.of("group", "3,2"), time, bytes)));
        return new PlanSummary(results).print(new PrintStream(new ByteArrayOutputStream()));
    }

    @Test
    void whatKeepsThePromisesFallsShortOfNone() {
        assertEquals(List.of(), shortfalls(0.2));
    }

    @Test
    void eachRivalJudges() {
        nanos.put("recomputed", 140L);
        assertEquals(
                List.of("N,K = 3,2: a draw is 14.0 x cheaper than one that recomputes, promised are 15 x"),
                shortfalls(0));
        nanos.put("recomputed", 150L);
        nanos.put("recomputedReusing", 99L);
        assertEquals(
                List.of("N,K = 3,2: a draw is 9.9 x cheaper than one that does with reused arrays, promised are 10 x"),
                shortfalls(0));
    }

    @Test
    void whereARivalWasNotRunNothingIsPromisedBesideIt() {
        nanos.remove("recomputed");
        nanos.remove("recomputedReusing");
        assertEquals(List.of(), shortfalls(0));
    }

    @Test
    void aDrawThatAllocatesIsNamed() {
        assertEquals(List.of("N,K = 3,2: a draw allocates 1.0 bytes, promised are none"), shortfalls(1));
    }
}
