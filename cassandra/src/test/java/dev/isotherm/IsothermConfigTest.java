// SPDX-License-Identifier: Apache-2.0
package dev.isotherm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.cassandra.config.ConfigFile;
import dev.isotherm.cassandra.heat.HeatSourceChoice;
import dev.isotherm.cassandra.limit.LimiterChoice;
import dev.isotherm.heat.Placement;
import dev.isotherm.queue.QueueSettings;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IsothermConfigTest {
    private static IsothermConfig parse(String yaml) {
        return IsothermConfig.read(ConfigFile.parse(new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8))));
    }

    @Test
    void anEmptyFileGivesTheDefaults() {
        IsothermConfig config = parse("");
        assertEquals("GossipingPropertyFileSnitch", config.snitch());
        assertNull(config.queryHandler());
        assertTrue(config.heat().enabled());
        assertEquals(HeatSourceChoice.AUTO, config.heat().source());
        assertEquals(Placement.LOCAL, config.heat().balance().placement());
        assertEquals(0.05, config.heat().balance().missFloor());
        assertEquals(0.02, config.heat().balance().wanderingFraction());
        assertEquals(TimeUnit.SECONDS.toNanos(3), config.heat().smoothingNanos());
        assertEquals(TimeUnit.SECONDS.toNanos(90), config.heat().staleAfterNanos());
    }

    @Test
    void theShippedFileSaysTheDefaults() throws IOException {
        Path shipped = Paths.get("..", "conf", "isotherm.yaml");
        IsothermConfig defaults = parse("");
        try (InputStream stream = Files.newInputStream(shipped)) {
            IsothermConfig config = IsothermConfig.read(ConfigFile.parse(stream));
            assertEquals(defaults.snitch(), config.snitch());
            assertEquals(defaults.heat().enabled(), config.heat().enabled());
            assertEquals(defaults.heat().source(), config.heat().source());
            assertEquals(defaults.heat().smoothingNanos(), config.heat().smoothingNanos());
            assertEquals(defaults.heat().staleAfterNanos(), config.heat().staleAfterNanos());
            assertEquals(
                    defaults.heat().balance().placement(),
                    config.heat().balance().placement());
            assertEquals(
                    defaults.heat().balance().missFloor(),
                    config.heat().balance().missFloor());
            assertEquals(
                    defaults.heat().balance().wanderingFraction(),
                    config.heat().balance().wanderingFraction());
            assertEquals(
                    defaults.heat().balance().warmReadNanos(),
                    config.heat().balance().warmReadNanos());
            assertEquals(
                    defaults.heat().balance().coldReadNanos(),
                    config.heat().balance().coldReadNanos());
            assertEquals(defaults.limit().enabled(), config.limit().enabled());
            assertEquals(defaults.limit().counter(), config.limit().counter());
            assertEquals(defaults.limit().memoryBytes(), config.limit().memoryBytes());
            assertEquals(defaults.queue().enabled(), config.queue().enabled());
            QueueSettings expected = defaults.queue().settings();
            QueueSettings queue = config.queue().settings();
            assertEquals(expected.softLimit(), queue.softLimit());
            assertEquals(expected.askEvery(), queue.askEvery());
            assertEquals(expected.silenceNanos(), queue.silenceNanos());
            assertEquals(expected.timeoutNanos(), queue.timeoutNanos());
        }
    }

    @Test
    void everyKeyIsRead() {
        IsothermConfig config = parse(
                "snitch: SimpleSnitch\nquery_handler: a.B\nheat:\n  enabled: false\n  placement: AFFINITY\n  source: read_time\n"
                        + "  miss_floor: 0.1\n  wandering: 0\n  warm_read: 200us\n  cold_read: 4ms\n  smoothing: 500ms\n  stale_after: 2m\n");
        assertEquals("SimpleSnitch", config.snitch());
        assertEquals("a.B", config.queryHandler());
        assertEquals(false, config.heat().enabled());
        assertEquals(Placement.AFFINITY, config.heat().balance().placement());
        assertEquals(HeatSourceChoice.READ_TIME, config.heat().source());
        assertEquals(0.1, config.heat().balance().missFloor());
        assertEquals(0, config.heat().balance().wanderingFraction());
        assertEquals(200_000, config.heat().balance().warmReadNanos());
        assertEquals(4_000_000, config.heat().balance().coldReadNanos());
        assertEquals(500_000_000, config.heat().smoothingNanos());
        assertEquals(TimeUnit.MINUTES.toNanos(2), config.heat().staleAfterNanos());
    }

    @Test
    void everyKeyOfTheOtherSectionsIsRead() {
        IsothermConfig config = parse("limit: {enabled: false, counter: halving, memory: 512KiB}\n"
                + "queue: {enabled: false, soft_limit: 7, ask_every: 9, silence: 2s, timeout: 30ms}\n");
        assertFalse(config.limit().enabled());
        assertEquals(LimiterChoice.HALVING, config.limit().counter());
        assertEquals(512 << 10, config.limit().memoryBytes());
        assertFalse(config.queue().enabled());
        assertEquals(7, config.queue().settings().softLimit());
        assertEquals(9, config.queue().settings().askEvery());
        assertEquals(TimeUnit.SECONDS.toNanos(2), config.queue().settings().silenceNanos());
        assertEquals(
                TimeUnit.MILLISECONDS.toNanos(30), config.queue().settings().timeoutNanos());
    }

    @ParameterizedTest
    @CsvSource({"heat,true", "limit,true", "queue,true", "none,false"})
    void oneFeatureThatIsEnabledIsEnough(String enabled, boolean any) {
        StringBuilder yaml = new StringBuilder();
        for (String section : new String[] {"heat", "limit", "queue"}) {
            yaml.append(section + ": {enabled: " + section.equals(enabled) + "}\n");
        }
        assertEquals(any, parse(yaml.toString()).enablesAny());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "snitch: 7                          | snitch: 7",
                "snitsch: SimpleSnitch              | snitsch: SimpleSnitch",
                "heat: 3                            | heat: 3",
                "'heat: {enabled: maybe}'           | heat.enabled: maybe",
                "'heat: {placement: remote}'        | heat.placement: remote",
                "'heat: {source: disk}'             | heat.source: disk",
                "'heat: {miss_floor: 0}'            | heat.miss_floor: 0",
                "'heat: {miss_floor: .nan}'         | heat.miss_floor: NaN",
                "'heat: {miss_floor: x}'            | heat.miss_floor: x",
                "'heat: {wandering: 1.1}'           | heat.wandering: 1.1",
                "'heat: {wandering: -0.1}'          | heat.wandering: -0.1",
                "'heat: {warm_read: 5}'             | heat.warm_read: 5",
                "'heat: {warm_read: 20ms}'          | heat.warm_read: 20000us",
                "'heat: {cold_read: 11s}'           | heat.cold_read: 11s",
                "'heat: {smoothing: 1h}'            | heat.smoothing: 1h",
                "'heat: {stale_after: 1s}'          | heat.stale_after: 1s",
                "'heat: {floor: 0.1}'               | heat.floor: 0.1",
                "'limit: {counter: exact}'          | limit.counter: exact",
                "'limit: {memory: 1KiB}'            | limit.memory: 1KiB",
                "'limit: {memory: 2GiB}'            | limit.memory: 2GiB",
                "'limit: {burst: 1s}'               | limit.burst: 1s",
                "'queue: {soft_limit: 0}'           | queue.soft_limit: 0",
                "'queue: {ask_every: many}'         | queue.ask_every: many",
                "'queue: {silence: 2m}'             | queue.silence: 2m",
                "'queue: {timeout: 2s}'             | queue.timeout: 2s",
                "'queue: {depth: 3}'                | queue.depth: 3",
                "'- a list'                         | the file",
            })
    void aMistakeIsNamedWithKeyValueAndWhatIsAllowed(String yaml, String named) {
        ConfigurationException e = assertThrows(ConfigurationException.class, () -> parse(yaml));
        assertTrue(e.getMessage().startsWith("isotherm.yaml: "), e.getMessage());
        assertTrue(e.getMessage().contains(named), e.getMessage());
        assertTrue(e.getMessage().contains("; allowed: "), e.getMessage());
    }

    @Test
    void whatIsNoYamlIsRefused() {
        ConfigurationException e = assertThrows(ConfigurationException.class, () -> parse("heat: {"));
        assertTrue(e.getMessage().contains("not valid YAML"), e.getMessage());
    }

    @Test
    void aMissingFileSaysWhereToPutIt() {
        System.setProperty(ConfigFile.LOCATION_PROPERTY, "/nowhere/isotherm.yaml");
        try {
            ConfigurationException e = assertThrows(ConfigurationException.class, ConfigFile::load);
            assertTrue(e.getMessage().contains("/nowhere/isotherm.yaml"), e.getMessage());
        } finally {
            System.clearProperty(ConfigFile.LOCATION_PROPERTY);
        }
        ConfigurationException e = assertThrows(ConfigurationException.class, ConfigFile::load);
        assertTrue(e.getMessage().contains("beside cassandra.yaml"), e.getMessage());
    }
}
