// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Duration;
import java.util.Set;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is at the place of {@code isotherm.yaml}, on the class path and where the property says. */
class ConfigFileTest {
    private static final String ALLOWED = "; allowed: a regular file that this process can read";

    /** The directory of cassandra.yaml. */
    @TempDir
    private Path conf;

    @AfterEach
    void clearProperty() {
        System.clearProperty(ConfigFile.LOCATION_PROPERTY);
    }

    private Path file() {
        return conf.resolve("isotherm.yaml");
    }

    private String besideCassandras() throws IOException {
        try (URLClassLoader loader = new URLClassLoader(new URL[] {conf.toUri().toURL()}, null);
                InputStream stream = ConfigFile.besideCassandras(loader)) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private void assertRefused(String finding) {
        ConfigurationException beside = assertThrows(ConfigurationException.class, this::besideCassandras);
        assertEquals("isotherm.yaml: " + file() + " " + finding + ALLOWED, beside.getMessage());
        assertFalse(beside.logStackTrace);
        assertNamedIsRefused(file().toString(), finding);
    }

    private static void assertNamedIsRefused(String location, String finding) {
        System.setProperty(ConfigFile.LOCATION_PROPERTY, location);
        ConfigurationException named = assertThrows(ConfigurationException.class, ConfigFile::load);
        assertEquals("-Disotherm.config=" + location + " " + finding + ALLOWED, named.getMessage());
        assertFalse(named.logStackTrace);
    }

    @Test
    void aFileIsReadAndSoIsALinkToOne() throws IOException {
        Files.writeString(conf.resolve("other.yaml"), "snitch: SimpleSnitch\n");
        Files.createSymbolicLink(file(), conf.resolve("other.yaml"));
        assertEquals("snitch: SimpleSnitch\n", besideCassandras());
        System.setProperty(ConfigFile.LOCATION_PROPERTY, file().toString());
        assertEquals("SimpleSnitch", ConfigFile.load().text("snitch", null));
    }

    @Test
    void aDirectoryIsNoEmptyFile() throws IOException {
        Files.createDirectory(file());
        assertRefused("is a directory");
    }

    @Test
    void aPipeIsNotWaitedFor() throws IOException, InterruptedException {
        assertEquals(0, new ProcessBuilder("mkfifo", file().toString()).start().waitFor());
        assertTimeoutPreemptively(Duration.ofSeconds(20), () -> assertRefused("is not a regular file"));
    }

    @Test
    void anUnreadableFileIsNotMissing() throws IOException {
        Files.writeString(file(), "");
        Files.setPosixFilePermissions(file(), Set.of(PosixFilePermission.OWNER_WRITE));
        assumeFalse(Files.isReadable(file()), "root reads everything");
        assertRefused("is unreadable for this process");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/nowhere/isotherm.yaml", "file:/nowhere/isotherm.yaml"})
    void aNamedFileThatIsNotThereIsSaid(String location) {
        assertNamedIsRefused(location, "is not there");
    }

    @Test
    void aMissingFileSaysWhereToPutIt() {
        ConfigurationException missing = assertThrows(ConfigurationException.class, this::besideCassandras);
        assertEquals(
                "isotherm.yaml is missing: put it beside cassandra.yaml, or name it with -Disotherm.config=<path>",
                missing.getMessage());
    }
}
