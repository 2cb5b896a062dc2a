// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.results.RunResult;

/** A run ends with an error by what it returns; what is slow is printed. */
class MicrobenchmarksTest {
    private static final String LEADER = "dev.isotherm.benchmarks.queue.LeaderBenchmark";
    private static final String GUARD = "dev.isotherm.benchmarks.guard.GuardBenchmark";

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final Map<String, Long> leader = new TreeMap<>(Map.of("leaderAtRandom", 3L, "leaderHere", 1L));

    private List<String> report(List<RunResult> results, boolean isWhole) {
        return Microbenchmarks.report(results, isWhole, new PrintStream(out, true, StandardCharsets.UTF_8));
    }

    private String printed() {
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void anAllocationThatIsPromisedNotToBeIsReturned() {
        List<RunResult> results = new ArrayList<>(RunResults.of(LEADER, leader, 0));
        results.addAll(RunResults.of(GUARD, Map.of("sentAndAnswered", 90L), 16));
        results.addAll(RunResults.of(GUARD, Map.of("dynamicSnitchReceivesTiming", 200L), 32));
        assertEquals(List.of("sentAndAnswered allocates 16.0 bytes, promised are none"), report(results, false));
    }

    @Test
    void whatIsSlowIsPrintedAndNotReturned() {
        leader.put("leaderHere", 9L);
        assertEquals(List.of(), report(RunResults.of(LEADER, leader, 0), false));
        assertTrue(
                printed().contains("Short of what is promised: a leader here costs 3.00 x a random pick"), printed());
    }

    @Test
    void ofARivalThatWasNotRunAWholeRunTells() {
        leader.remove("leaderAtRandom");
        List<RunResult> results = RunResults.of(LEADER, leader, 0);
        assertEquals(List.of(), report(results, false));
        List<String> broken = report(results, true);
        assertTrue(
                broken.contains("not measured: a leader here costs NaN x a random pick, promised is 2"),
                broken.toString());
    }

    @Test
    void ofATableThatHasNothingAWholeRunTells() {
        assertEquals(
                List.of(
                        ".benchmarks.heat.",
                        ".OrderingBenchmark.",
                        ".DiskSamplingBenchmark.",
                        ".limit.",
                        ".share.",
                        ".GuardBenchmark.",
                        ".GuardLookBenchmark.",
                        ".GuardTroubleBenchmark."),
                report(RunResults.of(LEADER, leader, 0), true).stream()
                        .map(sentence ->
                                sentence.replace("no benchmark has ", "").replace(" in its name", ""))
                        .collect(Collectors.toList()));
    }

    @Test
    void ofLooksThatWereNotRunNothingIsPromised() {
        List<RunResult> results =
                List.of(RunResults.of(GUARD.replace("Guard", "GuardLook") + ".reads", Map.of("offered", "300"), 1, 0));
        assertEquals(List.of(), report(results, false));
        assertFalse(printed().contains("Short of"), printed());
    }
}
