// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TopLevelKeyTest {
    @TempDir
    private Path directory;

    @AfterEach
    void clearProperty() {
        System.clearProperty(ConfigFile.LOCATION_PROPERTY);
    }

    private Optional<String> read(String text) throws IOException {
        Path file = Files.writeString(directory.resolve("isotherm.yaml"), text);
        System.setProperty(ConfigFile.LOCATION_PROPERTY, file.toUri().toString());
        return TopLevelKey.read("snitch");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "`snitch: SimpleSnitch`                     | SimpleSnitch",
                "`snitch:   SimpleSnitch   `                | SimpleSnitch",
                "`snitch : a.b.Snitch # before`             | a.b.Snitch",
                "`snitch: \"SimpleSnitch\"`                 | SimpleSnitch",
                "`snitch: 'SimpleSnitch'`                   | SimpleSnitch",
                "`heat: {}\nsnitch: A\nqueue: {}`           | A",
                "`heat:\n\tenabled: true\nsnitch: A`        | A",
                "`\"snitch\": A`                            | A",
                "`'snitch' : 'A' # before`                  | A",
                "`\uFEFFsnitch: A`                          | A",
                "`\uFEFFheat: {}\nsnitch: A`               | A",
                "`# snitch: A`                              | -",
                "`heat: {} # snitch: A`                     | -",
                "`my_snitch: A`                             | -",
                "`kept_settings: /var/snitch/kept.yaml`     | -",
                "`query_handler: com.acme.snitch`           | -",
                "``                                         | -",
            })
    void aWordBehindAKeyThatBeginsALineIsRead(String text, String word) throws IOException {
        assertEquals(word, read(text.replace("\\n", "\n")).orElse("-"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "`  snitch: A\n  heat: {}`                  | snitch: A",
                "`{snitch: A, heat: {}}`                    | {snitch: A, heat: {}}",
                "`{heat: {},\n\"snitch\": A}`               | \"snitch\": A}",
                "`snitch:\n  A`                             | snitch:",
                "`snitch: !!str A`                          | snitch: !!str A",
                "`? snitch\n: A`                            | ? snitch",
            })
    void aKeyThatOnlyAParserWouldFindIsRefusedAndNotLeftOut(String text, String line) {
        ConfigurationException e = assertThrows(ConfigurationException.class, () -> read(text.replace("\\n", "\n")));
        assertEquals(
                "isotherm.yaml: snitch is refused in the line \"" + line + "\"; allowed, as it is read without a YAML"
                        + " parser here: a line that begins with snitch: and has one word behind that",
                e.getMessage());
        assertFalse(e.logStackTrace);
    }

    @Test
    void whatIsNotUtf8IsSaid() throws IOException {
        Path file = Files.writeString(directory.resolve("isotherm.yaml"), "\uFEFFsnitch: A", StandardCharsets.UTF_16LE);
        System.setProperty(ConfigFile.LOCATION_PROPERTY, file.toString());
        ConfigurationException e = assertThrows(ConfigurationException.class, () -> TopLevelKey.read("snitch"));
        assertEquals("isotherm.yaml cannot be read: it is not UTF-8; allowed: UTF-8", e.getMessage());
    }

    @Test
    void aDirectoryIsRefused() {
        System.setProperty(ConfigFile.LOCATION_PROPERTY, directory.toString());
        ConfigurationException e = assertThrows(ConfigurationException.class, () -> TopLevelKey.read("snitch"));
        assertTrue(e.getMessage().contains(directory + " is a directory; allowed: "), e.getMessage());
    }

    @Test
    void theShippedFileIsReadAsByTheParser() throws IOException {
        assertEquals(
                ConfigText.shipped().text("snitch", null),
                read(Files.readString(Path.of("..", "conf", "isotherm.yaml"))).orElseThrow());
        assertEquals(Optional.empty(), TopLevelKey.read("query_handler"));
    }

    @Test
    void aMissingFileIsSaid() {
        System.setProperty(
                ConfigFile.LOCATION_PROPERTY, directory.resolve("none.yaml").toString());
        assertThrows(ConfigurationException.class, () -> TopLevelKey.read("snitch"));
    }
}
