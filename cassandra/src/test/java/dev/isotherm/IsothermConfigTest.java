// SPDX-License-Identifier: Apache-2.0
package dev.isotherm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.cassandra.config.ConfigFile;
import dev.isotherm.cassandra.config.ConfigText;
import java.io.IOException;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IsothermConfigTest {
    private static IsothermConfig parse(String yaml) {
        return IsothermConfig.read(ConfigText.file(yaml));
    }

    @Test
    void anEmptyFileGivesTheDefaultsAndSoDoesTheShippedOne() throws IOException {
        for (IsothermConfig config : new IsothermConfig[] {parse(""), IsothermConfig.read(ConfigText.shipped())}) {
            assertEquals("GossipingPropertyFileSnitch", config.snitch());
            assertTrue(config.dynamicSnitch());
            assertNull(config.queryHandler());
            assertNull(config.keptSettings());
            assertTrue(config.needsStatements());
        }
    }

    @Test
    void everyKeyIsRead() {
        IsothermConfig config = parse(
                "snitch: SimpleSnitch\ndynamic_snitch: false\nquery_handler: a.B\nkept_settings: /a/b\nheat: {enabled: false}\n"
                        + "limit: {enabled: false}\nqueue: {enabled: false}\nwarming: {enabled: false}\n");
        assertEquals("SimpleSnitch", config.snitch());
        assertFalse(config.dynamicSnitch());
        assertEquals("a.B", config.queryHandler());
        assertEquals("/a/b", config.keptSettings());
        assertFalse(config.heat().enabled());
        assertFalse(config.limit().enabled());
        assertFalse(config.queue().enabled());
        assertFalse(config.warming().enabled());
    }

    @ParameterizedTest
    @CsvSource({"heat,true", "limit,true", "queue,true", "warming,false", "none,false"})
    void oneFeatureThatSeesStatementsIsEnough(String enabled, boolean any) {
        StringBuilder yaml = new StringBuilder();
        for (String section : new String[] {"guard", "heat", "limit", "queue", "warming"}) {
            yaml.append(section + ": {enabled: " + section.equals(enabled) + "}\n");
        }
        assertEquals(any, parse(yaml.toString()).needsStatements());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "snitch: 7                          | snitch: 7",
                "kept_settings: 7                   | kept_settings: 7",
                "kept_settings: data/kept.yaml      | kept_settings: data/kept.yaml",
                "snitsch: SimpleSnitch              | snitsch: SimpleSnitch",
                "heat: 3                            | heat: 3",
                "'heat: {enabled: maybe}'           | heat.enabled: maybe",
                "'heat: {placement: remote}'        | heat.placement: remote",
                "'heat: {placement: [auto]}'        | heat.placement: [auto]",
                "'heat: {source: sun}'              | heat.source: sun",
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
                "'heat: {plan_memory: 512KiB}'      | heat.plan_memory: 512KiB",
                "'heat: {floor: 0.1}'               | heat.floor: 0.1",
                "'limit: {counter: exact}'          | limit.counter: exact",
                "'limit: {memory: 1KiB}'            | limit.memory: 1KiB",
                "'limit: {memory: 2GiB}'            | limit.memory: 2GiB",
                "'limit: {fair_share: always}'      | limit.fair_share: always",
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

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'heat: {'|line 1, column 8",
                "'heat:\n\tenabled: true'|line 2, column 1",
                "'a: b: c'|line 1, column 5",
                "'heat: {}\nqueue: {}\nheat:\n  placement: local'|line 3, column 1",
                "'heat: {placement: local, placement: auto}'|line 1, column 26"
            })
    void whatIsNoYamlIsRefusedWithASentenceThatSaysWhere(String yaml, String where) {
        ConfigurationException e = assertThrows(
                ConfigurationException.class,
                () -> parse(yaml.replace("\\n", "\n").replace("\\t", "\t")));
        assertTrue(e.getMessage().startsWith("isotherm.yaml is not valid YAML: " + where), e.getMessage());
        assertTrue(e.getMessage().endsWith("; allowed: YAML, indented by spaces, each key once"), e.getMessage());
        assertFalse(e.getMessage().contains("\n"), e.getMessage());
        assertFalse(e.logStackTrace);
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
