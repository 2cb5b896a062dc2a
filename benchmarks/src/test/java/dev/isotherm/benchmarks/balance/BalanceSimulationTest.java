// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.balance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The promises of scenarios that take seconds, checked as {@code make simulate} checks those of all. */
class BalanceSimulationTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({
        "one cold node, 3",
        "one cold node, 12",
        "warm nodes that miss nothing, 3",
        "nothing happens, 3",
        "'processors at 67 %', 12",
        "'processors at 80 %', 12",
        "cold node that no client uses as coordinator, 12",
        "'one cold node, affinity', 12",
        "'one partition with 30 %, affinity, one replica a read', 12",
        "a table with few reads, 12",
        "disks of 1 take 20 times as long, 3",
        "'a disk takes 20 times as long, the other disks at 94 %, affinity', 3",
        "disks of 2 take 20 times as long, 12",
        "one disk answers nothing, 12",
        "one node flaps, 3",
        "'one node pauses for 0.3 s each 2 s, with the guard', 3",
        "'placement auto: caches of two thirds of the rows', 3",
        "'messages of one node later by a quarter each second, to 100 ms', 3",
    })
    void noneIsBrokenThatIsNotKnownToBe(String name, int nodes) throws IOException {
        List<Scenario> chosen = Scenarios.all().stream()
                .filter(scenario -> scenario.name.equals(name) && scenario.nodes == nodes)
                .collect(Collectors.toList());
        assertEquals(1, chosen.size());
        Path summary = folder.resolve("summary.json");
        ByteArrayOutputStream shown = new ByteArrayOutputStream();
        Promises promises = new BalanceSimulation(
                        new PrintStream(shown, true, StandardCharsets.UTF_8),
                        new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8))
                .run(chosen, summary);
        assertEquals(List.of(), promises.broken(), () -> shown.toString(StandardCharsets.UTF_8));
        assertEquals(0, promises.status());
        assertTrue(Files.readString(summary).contains(name));
    }

    /** An exemption that is needed no more is to be found without a look at what the command printed. */
    @Test
    void theSummaryHasWhatIsKeptThoughItIsSaidNotToBe() throws IOException {
        Scenario scenario = new Scenario("test", 3);
        scenario.seconds = 40;
        scenario.policies.retainAll(List.of(Policy.ISOTHERM, Policy.UNIFORM));
        scenario.promisesOnly(Promise.STAYING).doesNotKeep(Promise.STAYING);
        Path summary = folder.resolve("summary.json");
        PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);
        new BalanceSimulation(nowhere, nowhere).run(List.of(scenario), summary);
        String written = Files.readString(summary);
        assertTrue(written.contains("\"kept_after_all\":[\"test, 3 nodes: STAYING\"]"), written);
    }
}
