// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.isotherm.cassandra.Addresses;
import dev.isotherm.cassandra.innode.NodeInProcess;
import dev.isotherm.heat.BalanceSettings;
import dev.isotherm.heat.Heat;
import dev.isotherm.heat.HeatBoard;
import dev.isotherm.heat.Warmth;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.cql3.statements.schema.CreateTableStatement;
import org.apache.cassandra.locator.AbstractNetworkTopologySnitch;
import org.apache.cassandra.locator.IEndpointSnitch;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.schema.KeyspaceMetadata;
import org.apache.cassandra.schema.KeyspaceParams;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.schema.Tables;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Nodes 1 to 3 are of the datacenter "here", nodes 4 to 6 of "there". */
class NodeWarmthInNodeTest {
    private static final IEndpointSnitch SNITCH = new AbstractNetworkTopologySnitch() {
        @Override
        public String getRack(InetAddressAndPort node) {
            return "rack";
        }

        @Override
        public String getDatacenter(InetAddressAndPort node) {
            return node.getAddress().getAddress()[3] <= 3 ? "here" : "there";
        }
    };

    private static TableId everywhere;
    private static TableId hereAlone;

    private final HeatBoard<TableId, InetAddressAndPort> board =
            new HeatBoard<>(TimeUnit.HOURS.toNanos(1), BalanceSettings.defaults());
    private final NodeWarmth warmth =
            new NodeWarmth(board, new HeatSwitches(true, BalanceSettings.defaults(), PlacementChoice.LOCAL), SNITCH);

    @BeforeAll
    static void begin() throws IOException {
        NodeInProcess.begin();
        everywhere = NodeInProcess.table("warm_everywhere", "comment = ''").metadata.id;
        TableMetadata table = CreateTableStatement.parse("CREATE TABLE t (k int PRIMARY KEY)", "warm_here")
                .build();
        Schema.instance.transform(keyspaces -> keyspaces.withAddedOrUpdated(
                KeyspaceMetadata.create("warm_here", KeyspaceParams.nts("here", 1), Tables.of(table))));
        hereAlone = table.id;
    }

    /** Node 1 has restarted; nobody reads in the other datacenter. */
    private void report(TableId table) {
        for (int node = 1; node <= 6; node++) {
            board.report(table, Addresses.node(node), Heat.missRatio(node == 1 || node > 3 ? 1 : 0), System.nanoTime());
        }
    }

    @Test
    void aNodeIsComparedWithThoseOfItsDatacenter() {
        report(everywhere);
        assertEquals(20, warmth.of(Addresses.node(1)).timesPeers, 1e-9);
        assertEquals(1, warmth.of(Addresses.node(4)).timesPeers, 1e-9, "its peers are as cold");
    }

    @Test
    void aPeerMayBeNoMeasure() {
        report(everywhere);
        board.report(everywhere, Addresses.node(2), Heat.missRatio(1), System.nanoTime());
        assertEquals(20, warmth.timesPeers(Addresses.node(1)).get(everywhere), 1e-9);
        assertEquals(
                1,
                warmth.timesPeers(Addresses.node(1), peer -> !peer.equals(Addresses.node(3)))
                        .get(everywhere),
                1e-9);
        // As where two nodes have a datacenter, and one of them leaves out the other while it is warmed.
        assertEquals(20, warmth.timesPeers(Addresses.node(1), peer -> false).get(everywhere), 1e-9);
    }

    @Test
    void onlyTablesWithReplicasInItsDatacenterCount() {
        report(hereAlone);
        Warmth<TableId> cold = warmth.of(Addresses.node(1));
        assertEquals(hereAlone, cold.coldestTable);
        assertEquals(Map.of(hereAlone, cold.timesPeers), warmth.timesPeers(Addresses.node(1)));
        assertNull(warmth.of(Addresses.node(4)).coldestTable);
    }
}
