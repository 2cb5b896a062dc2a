// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.isotherm.cassandra.innode.NodeInProcess;
import dev.isotherm.cassandra.runtime.Failures;
import dev.isotherm.heat.BalanceSettings;
import dev.isotherm.heat.Heat;
import dev.isotherm.heat.HeatBoard;
import dev.isotherm.heat.RequestRate;
import dev.isotherm.heat.RoundTrips;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.SimpleSnitch;
import org.apache.cassandra.schema.TableId;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Which tables a node tells heats of that has not read them since it started. */
class HeatMeterInNodeTest {
    private static final long SECOND = 1_000_000_000L;

    @BeforeAll
    static void begin() throws IOException {
        NodeInProcess.begin();
    }

    @Test
    void aTableThatOnlyOthersReadIsToldOnceTheRateIsKnown() throws IOException {
        InetAddressAndPort self = InetAddressAndPort.getByName("127.0.0.1");
        InetAddressAndPort peer = InetAddressAndPort.getByName("127.0.0.2");
        String cached = "caching = {'keys': 'ALL', 'rows_per_partition': 'ALL'}";
        ColumnFamilyStore readElsewhere = NodeInProcess.table("read_elsewhere", cached);
        ColumnFamilyStore idle = NodeInProcess.table("idle", cached);
        List<ColumnFamilyStore> tables = List.of(readElsewhere, idle);
        BalanceSettings settings = BalanceSettings.defaults();
        HeatBoard<TableId, InetAddressAndPort> board = new HeatBoard<>(90 * SECOND, settings);
        HeatSwitches switches = new HeatSwitches(true, settings);
        PlacementChooser chooser = new PlacementChooser(
                switches, board, new RoundTrips(), new SimpleSnitch(), Set::of, self, new Failures());
        HeatMeter meter = new HeatMeter(HeatSourceChoice.CACHE, null, switches, 3 * SECOND, board, self, chooser);
        meter.sample(tables, 0);
        assertEquals(Set.of(), board.tables(), "nobody reads either");
        board.report(readElsewhere.metadata.id, peer, Heat.missRatio(0.3), 0);
        assertEquals(Map.of(), meter.sample(tables, 2 * SECOND), "clients may still return");
        Map<TableId, TableHeat> told = meter.sample(tables, 6 * SECOND);
        assertEquals(1, told.size());
        TableHeat heat = told.get(readElsewhere.metadata.id);
        assertSame(RequestRate.NONE, heat.rate);
        assertSame(Heat.missRatio(1), heat.heat, "it is cold");
        assertNull(heat.vote, "the placement is not chosen by votes");
        assertEquals(Set.of(readElsewhere.metadata.id), board.tables());
        assertSame(Heat.missRatio(1), board.heatOf(readElsewhere.metadata.id, self, 6 * SECOND));
    }
}
