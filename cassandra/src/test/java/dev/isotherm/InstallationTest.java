// SPDX-License-Identifier: Apache-2.0
package dev.isotherm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.cassandra.config.ConfigFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.apache.cassandra.locator.RackInferringSnitch;
import org.apache.cassandra.locator.SimpleSnitch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The snitch in a process that is not a node, like this one: Cassandra's offline tools. */
class InstallationTest {
    @TempDir
    private Path directory;

    @BeforeAll
    static void initialize() {
        DatabaseDescriptor.clientInitialization();
    }

    @AfterEach
    void clearProperty() {
        System.clearProperty(ConfigFile.LOCATION_PROPERTY);
    }

    private Installation with(String yaml) throws IOException {
        Path file = Files.writeString(directory.resolve("isotherm.yaml"), yaml);
        System.setProperty(ConfigFile.LOCATION_PROPERTY, file.toString());
        return Installation.inThisProcess();
    }

    @Test
    void aToolHasTheOperatorsSnitchAndNothingElse() throws IOException {
        Installation tool = with("snitch: RackInferringSnitch\n");
        assertEquals(RackInferringSnitch.class, tool.operatorSnitch().getClass());
        assertSame(tool.operatorSnitch(), tool.stockSnitch());
        assertTrue(tool.isotherm().isEmpty());
        assertTrue(tool.queryHandler().isEmpty());
    }

    /** This process has no query handler, and no cassandra.yaml sets dynamic_snitch: false. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "snitch: SimpleSnitch\nheat: {no_such_key: 1}\n",
                "snitch: SimpleSnitch\nheat:\n\tenabled: true\n",
                "snitch: SimpleSnitch\nheat: {placement: nowhere}\n"
            })
    void aMistakeThatStopsANodeDoesNotStopATool(String yaml) throws IOException {
        assertEquals(SimpleSnitch.class, with(yaml).operatorSnitch().getClass());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "snitch: NoSuchSnitch\n",
                "snitch: java.lang.String\n",
                "snitch: dev.isotherm.IsothermSnitch\n",
                "{snitch: RackInferringSnitch}\n"
            })
    void aToolGoesOnWithoutASnitchOfThatName(String yaml) throws IOException {
        assertEquals(SimpleSnitch.class, with(yaml).operatorSnitch().getClass());
    }

    @Test
    void aToolGoesOnWithoutTheFileToo() {
        System.setProperty(
                ConfigFile.LOCATION_PROPERTY, directory.resolve("none.yaml").toString());
        assertEquals(
                SimpleSnitch.class,
                Installation.inThisProcess().operatorSnitch().getClass());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "NoSuchSnitch",
                "no.such.Snitch",
                "java.lang.String",
                "IsothermSnitch",
                "dev.isotherm.IsothermSnitch"
            })
    void aSnitchThatCannotBeMadeIsRefusedWithASentence(String name) {
        ConfigurationException refusal = assertThrows(ConfigurationException.class, () -> OperatorClass.snitch(name));
        assertTrue(
                refusal.getMessage().startsWith("isotherm.yaml: snitch: " + name + " is refused"), refusal::toString);
        assertTrue(refusal.getMessage().contains("; allowed: "), refusal::toString);
        assertFalse(refusal.logStackTrace);
    }

    /** Cassandra looks for a bare name in its own package, where the jar has a class that refuses. */
    @Test
    void theBareNameInCassandrasConfigurationIsRefusedWithASentence() {
        IllegalStateException thrown =
                assertThrows(IllegalStateException.class, org.apache.cassandra.locator.IsothermSnitch::new);
        ConfigurationException mistake = (ConfigurationException) thrown.getCause();
        assertEquals(
                "cassandra.yaml: endpoint_snitch: IsothermSnitch is refused; allowed: dev.isotherm.IsothermSnitch",
                mistake.getMessage());
        assertFalse(mistake.logStackTrace);
    }
}
