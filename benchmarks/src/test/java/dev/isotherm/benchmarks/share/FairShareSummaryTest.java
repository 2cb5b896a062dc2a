// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.share;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.benchmarks.RunResults;
import dev.isotherm.benchmarks.Shortfalls;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.results.RunResult;

/** Each benchmark of fair shares is judged by the decision of a limit in the same run that refuses as much. */
class FairShareSummaryTest {
    private final Map<String, Long> nanos = new TreeMap<>(Map.of(
            "bucketOfOne", 30L,
            "bucketOfOneAdmitted", 20L,
            "bucketOfMany", 30L,
            "shareOfOne", 10L,
            "shareOfMany", 45L,
            "shareOfCut", 10L,
            "writeShareOfCut", 10L,
            "writeAdmittedElsewhere", 30L,
            "namedShareOfOne", 30L,
            "namedShareOfMany", 45L));

    private List<RunResult> results(double bytes) {
        return RunResults.of("dev.isotherm.benchmarks.share.FairShareBenchmark", nanos, bytes);
    }

    private Shortfalls judged(double bytes) {
        Shortfalls shortfalls = new Shortfalls(true);
        new FairShareSummary(results(bytes)).print(new PrintStream(new ByteArrayOutputStream()), shortfalls);
        return shortfalls;
    }

    @Test
    void whatKeepsThePromisesFallsShortOfNone() {
        assertEquals(List.of(), judged(0.2).slow());
        assertEquals(List.of(), judged(0.2).broken());
    }

    @Test
    void eachThatTakesLongerThanPromisedIsNamed() {
        for (String name : new ArrayList<>(nanos.keySet())) {
            if (!name.startsWith("bucket")) {
                long kept = nanos.put(name, 46L);
                List<String> slow = judged(0.2).slow();
                assertEquals(1, slow.size(), name + ": " + slow);
                assertTrue(slow.get(0).endsWith(" x, promised at most 1.50"), slow.get(0));
                nanos.put(name, kept);
            }
        }
    }

    @Test
    void whatAdmitsAllIsJudgedByALimitThatAdmitsAll() {
        nanos.put("bucketOfOneAdmitted", 1L);
        assertEquals(
                List.of(
                        "one partition, over a limit: 10.00 x, promised at most 1.50",
                        "one that another node has admitted, over a limit: 30.00 x, promised at most 1.50",
                        "with names, one partition, over a limit: 30.00 x, promised at most 1.50"),
                judged(0).slow());
    }

    @Test
    void whatRefusesAPartIsJudgedByALimitThatRefusesAsMuch() {
        nanos.put("bucketOfOne", 1L);
        assertEquals(
                List.of(
                        "a partition that is cut, over a limit: 10.00 x, promised at most 1.50",
                        "a write of such a partition, over a limit: 10.00 x, promised at most 1.50"),
                judged(0).slow());
    }

    @Test
    void aRivalThatAWholeRunLeavesOutIsMissed() {
        nanos.remove("bucketOfOneAdmitted");
        assertEquals(3, judged(0).broken().size());
    }

    @Test
    void eachThatAllocatesIsNamed() {
        assertEquals(nanos.size(), judged(1).broken().size());
    }

    @Test
    void theNamesAreInTheTable() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new FairShareSummary(results(0))
                .print(new PrintStream(out, true, StandardCharsets.UTF_8), new Shortfalls(true));
        String table = out.toString(StandardCharsets.UTF_8);
        assertTrue(table.contains("with names, one partition, over a limit"), table);
        assertTrue(table.contains("with names, a million partitions, over a limit"), table);
    }
}
