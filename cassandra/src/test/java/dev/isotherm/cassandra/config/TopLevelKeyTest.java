// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
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
                "`  snitch: A`                              | -",
                "`# snitch: A`                              | -",
                "`my_snitch: A`                             | -",
                "`snitch:`                                  | -",
                "``                                         | -",
            })
    void aWordBehindAKeyThatBeginsALineIsRead(String text, String word) throws IOException {
        assertEquals(word, read(text.replace("\\n", "\n")).orElse("-"));
    }

    @Test
    void theShippedFileIsReadAsByTheParser() throws IOException {
        assertEquals(
                ConfigText.shipped().text("snitch", null),
                read(Files.readString(Path.of("..", "conf", "isotherm.yaml"))).orElseThrow());
    }

    @Test
    void aMissingFileIsSaid() {
        System.setProperty(
                ConfigFile.LOCATION_PROPERTY, directory.resolve("none.yaml").toString());
        assertThrows(ConfigurationException.class, () -> TopLevelKey.read("snitch"));
    }
}
