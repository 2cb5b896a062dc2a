// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.share;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.benchmarks.RunResults;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.results.RunResult;

/** Each benchmark of fair shares is judged by the limit's decision of the same run. */
class FairShareSummaryTest {
    private final Map<String, Long> nanos = new TreeMap<>(Map.of(
            "bucketOfOne", 20L,
            "bucketOfMany", 30L,
            "shareOfOne", 10L,
            "shareOfMany", 45L,
            "shareOfCut", 10L,
            "writeShareOfCut", 10L,
            "writeAdmittedElsewhere", 30L,
            "namedShareOfOne", 30L,
            "namedShareOfMany", 45L));

    private static RunResult result(String name, long nanos, double bytes) {
        return RunResults.of("dev.isotherm.benchmarks.share.FairShareBenchmark." + name, Map.of(), nanos, bytes);
    }

    private List<String> shortfalls(double bytes) {
        List<RunResult> results = new ArrayList<>();
        nanos.forEach((name, time) -> results.add(result(name, time, bytes)));
        return new FairShareSummary(results).print(new PrintStream(new ByteArrayOutputStream()));
    }

    @Test
    void whatKeepsThePromisesFallsShortOfNone() {
        assertEquals(List.of(), shortfalls(0.2));
    }

    @Test
    void eachThatTakesLongerThanPromisedIsNamed() {
        for (String name : new ArrayList<>(nanos.keySet())) {
            if (!name.startsWith("bucket")) {
                long kept = nanos.put(name, 46L);
                List<String> broken = shortfalls(0.2);
                assertEquals(1, broken.size(), name + ": " + broken);
                assertTrue(broken.get(0).endsWith(" x, promised at most 1.50"), broken.get(0));
                nanos.put(name, kept);
            }
        }
    }

    @Test
    void eachThatAllocatesIsNamed() {
        assertEquals(nanos.size(), shortfalls(1).size());
    }

    @Test
    void theNamesAreInTheTable() {
        List<RunResult> results = new ArrayList<>();
        nanos.forEach((name, time) -> results.add(result(name, time, 0)));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new FairShareSummary(results).print(new PrintStream(out, true, StandardCharsets.UTF_8));
        String table = out.toString(StandardCharsets.UTF_8);
        assertTrue(table.contains("with names, one partition, over a limit"), table);
        assertTrue(table.contains("with names, a million partitions, over a limit"), table);
    }
}
