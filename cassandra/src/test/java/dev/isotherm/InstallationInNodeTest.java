// SPDX-License-Identifier: Apache-2.0
package dev.isotherm;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.cassandra.config.ConfigFile;
import dev.isotherm.cassandra.innode.NodeInProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.cassandra.locator.DynamicEndpointSnitch;
import org.apache.cassandra.stress.ConfiguredAsANode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The plugin's parts in a node. */
class InstallationInNodeTest {
    @TempDir
    private Path directory;

    @AfterEach
    void clearProperty() {
        System.clearProperty(ConfigFile.LOCATION_PROPERTY);
    }

    /** Cassandra tells the start of gossip to the first snitch alone, which starts what both have. */
    @Test
    void aSnitchThatIsMadeLaterHasThePartsOfTheFirst() throws IOException {
        NodeInProcess.begin();
        StringBuilder yaml = new StringBuilder("snitch: SimpleSnitch\n");
        // As without the query handler, which is Cassandra's in this process.
        for (String section : List.of("heat", "guard", "limit", "queue", "warming")) {
            yaml.append(section).append(": {enabled: false}\n");
        }
        Path file = Files.writeString(directory.resolve("isotherm.yaml"), yaml);
        System.setProperty(ConfigFile.LOCATION_PROPERTY, file.toString());
        Installation first = Installation.inThisProcess();
        assertTrue(first.isotherm().isPresent());
        // What the plugin does not order is ordered as without it.
        DynamicEndpointSnitch stock = (DynamicEndpointSnitch) first.stockSnitch();
        assertSame(first.operatorSnitch(), stock.subsnitch);
        assertSame(first, Installation.inThisProcess());
    }

    /** It has no query handler of the plugin's, and would not start. */
    @Test
    void compactionStressIsATool() throws IOException {
        NodeInProcess.begin();
        Path file = Files.writeString(directory.resolve("isotherm.yaml"), "snitch: SimpleSnitch\nwrong: key\n");
        System.setProperty(ConfigFile.LOCATION_PROPERTY, file.toString());
        assertFalse(
                ConfiguredAsANode.load(Installation::inThisProcess).isotherm().isPresent());
    }
}
