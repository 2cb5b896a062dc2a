// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The file with the settings that outlive the process. */
class KeptFileTest {
    @TempDir
    Path directory;

    private Path path() {
        return directory.resolve("kept.yaml");
    }

    @Test
    void whatIsWrittenIsRead() throws IOException {
        KeptFile file = new KeptFile(path().toString());
        assertEquals(Map.of(), file.read());
        Map<String, String> values = Map.of("heat.enabled", "false", "heat.placement", "affinity");
        file.write(values);
        assertEquals(values, new KeptFile(path().toString()).read());
        file.write(Map.of());
        assertEquals(Map.of(), file.read());
        try (var files = Files.list(directory)) {
            assertEquals(List.of(path()), files.collect(Collectors.toList()), "nothing else is left behind");
        }
    }

    /** YAML takes them for truth values, numbers and times. */
    @ParameterizedTest
    @ValueSource(
            strings = {"on", "off", "yes", "no", "true", "0.10", "1e3", "010", "12:30", "500us", "32MiB", "null", "~"})
    void aValueIsReadAsItWasWritten(String value) {
        KeptFile file = new KeptFile(path().toString());
        file.write(Map.of("limit.fair_share", value));
        assertEquals(Map.of("limit.fair_share", value), file.read());
    }

    private static final String TWICE = "heat.enabled: false\nlimit.enabled: true\nheat.enabled: true\n";

    @ParameterizedTest
    @ValueSource(
            strings = {"heat", "[1, 2]", "heat: {enabled: true}", "heat.enabled: [", "\theat.enabled: true", TWICE})
    void aFileThatIsNoneStopsStartUpWithASentence(String content) throws IOException {
        Files.writeString(path(), content);
        ConfigurationException mistake =
                assertThrows(ConfigurationException.class, () -> new KeptFile(path().toString()).read());
        assertTrue(mistake.getMessage().startsWith(path() + ": "), mistake.getMessage());
    }

    @Test
    void aSettingThatStandsThereTwiceIsNamed() throws IOException {
        Files.writeString(path(), TWICE);
        assertEquals(
                path() + ": line 3: heat.enabled is refused, as it stands there twice; allowed: each setting once",
                assertThrows(ConfigurationException.class, () -> new KeptFile(path().toString()).read())
                        .getMessage());
    }

    @Test
    void aPipeIsNotWaitedFor() throws IOException, InterruptedException {
        assertEquals(0, new ProcessBuilder("mkfifo", path().toString()).start().waitFor());
        KeptFile pipe = new KeptFile(path().toString());
        ConfigurationException mistake = assertTimeoutPreemptively(
                Duration.ofSeconds(20), () -> assertThrows(ConfigurationException.class, pipe::read));
        assertEquals(
                path() + ": is not a regular file; allowed: a regular file that this process can read",
                mistake.getMessage());
    }

    /** Were it taken for missing, what was switched off would run again. */
    @Test
    void aFileThatCannotBeLookedForIsNotTakenForMissing() throws IOException {
        Path inNoDirectory = Files.writeString(path(), "").resolve("kept.yaml");
        KeptFile file = new KeptFile(inNoDirectory.toString());
        ConfigurationException mistake = assertThrows(ConfigurationException.class, file::read);
        assertEquals(
                inNoDirectory
                        + ": cannot be looked for by this process; allowed: a regular file that this process can read",
                mistake.getMessage());
        assertEquals(Map.of(), new KeptFile(directory.resolve("no/such/place").toString()).read());
    }

    @Test
    void withoutAFileNothingIsKept() {
        KeptFile none = new KeptFile(null);
        assertEquals(Map.of(), none.read());
        assertEquals(
                "isotherm.yaml names no file in kept_settings: name one by its absolute path, and restart the node",
                assertThrows(IllegalArgumentException.class, () -> none.write(Map.of()))
                        .getMessage());
    }

    @Test
    void aPlaceThatCannotBeWrittenIsNamed() {
        KeptFile nowhere = new KeptFile(directory.resolve("no/such/place").toString());
        String sentence = assertThrows(IllegalArgumentException.class, () -> nowhere.write(Map.of("a", "b")))
                .getMessage();
        assertTrue(sentence.contains("no/such/place cannot be written"), sentence);
    }

    @Test
    void whatCouldNotTakeItsPlaceIsNotLeftBehind() throws IOException {
        Files.createDirectories(path().resolve("in the way"));
        KeptFile file = new KeptFile(path().toString());
        assertThrows(IllegalArgumentException.class, () -> file.write(Map.of("a", "b")));
        try (var files = Files.list(directory)) {
            assertEquals(List.of(path()), files.collect(Collectors.toList()));
        }
    }

    @Test
    void whatADeadProcessHasLeftIsReplaced() throws IOException {
        Files.writeString(directory.resolve("kept.yaml.new"), "heat.enabled: false\nheat.pla");
        KeptFile file = new KeptFile(path().toString());
        assertEquals(Map.of(), file.read());
        file.write(Map.of("a", "b"));
        assertEquals(Map.of("a", "b"), file.read());
        try (var files = Files.list(directory)) {
            assertEquals(List.of(path()), files.collect(Collectors.toList()));
        }
    }
}
