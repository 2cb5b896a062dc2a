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

/** The plugin's order is judged under both placements by that of Cassandra's dynamic snitch in the same run. */
class OrderingSummaryTest {
    private final Map<String, Long> nanos = new TreeMap<>(
            Map.of("isothermLocal", 80L, "isothermAffinity", 90L, "dynamicEndpointSnitch", 90L, "simpleSnitch", 4L));
    private final Map<String, Double> bytes = new TreeMap<>(Map.of(
            "isothermLocal", 100.0, "isothermAffinity", 100.0, "dynamicEndpointSnitch", 100.0, "simpleSnitch", 0.0));

    private Shortfalls judged(boolean isWhole) {
        List<RunResult> results = new ArrayList<>();
        nanos.forEach((name, time) -> results.add(RunResults.of(
                "dev.isotherm.cassandra.heat.OrderingBenchmark." + name, Map.of(), time, bytes.get(name))));
        Shortfalls shortfalls = new Shortfalls(isWhole);
        new OrderingSummary(results).print(new PrintStream(new ByteArrayOutputStream()), shortfalls);
        return shortfalls;
    }

    @Test
    void whatKeepsThePromisesFallsShortOfNone() {
        assertEquals(List.of(), judged(true).slow());
        assertEquals(List.of(), judged(true).broken());
    }

    @Test
    void eachPlacementIsJudgedByItsTime() {
        nanos.put("dynamicEndpointSnitch", 60L);
        assertEquals(
                List.of(
                        "isothermLocal takes 1.33 x the dynamic snitch's order, promised is no more than 1",
                        "isothermAffinity takes 1.50 x the dynamic snitch's order, promised is no more than 1"),
                judged(true).slow());
        assertEquals(List.of(), judged(true).broken());
    }

    @Test
    void eachPlacementIsJudgedByWhatItAllocates() {
        bytes.put("dynamicEndpointSnitch", 90.0);
        assertEquals(
                List.of(
                        "isothermLocal allocates 100.0 bytes, promised are no more than the dynamic snitch's 90.0",
                        "isothermAffinity allocates 100.0 bytes, promised are no more than the dynamic snitch's 90.0"),
                judged(true).broken());
    }

    @Test
    void aWholeRunMissesTheRivalAndAPartOfItDoesNot() {
        nanos.remove("dynamicEndpointSnitch");
        assertEquals(4, judged(true).broken().size());
        assertEquals(List.of(), judged(false).broken());
    }
}
