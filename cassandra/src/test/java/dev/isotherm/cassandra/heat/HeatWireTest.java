// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import static dev.isotherm.cassandra.Addresses.node;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.isotherm.cassandra.wire.GossipState;
import dev.isotherm.heat.BalanceSettings;
import dev.isotherm.heat.DisksOfNodes;
import dev.isotherm.heat.Heat;
import dev.isotherm.heat.HeatBoard;
import dev.isotherm.heat.HeatReport;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.schema.TableId;
import org.junit.jupiter.api.Test;

/** The read responses that carry a heat report, and the effect of gossip events on the remembered nodes. */
class HeatWireTest {
    private static final TableId TABLE = TableId.fromUUID(new UUID(1, 1));
    private static final byte[] FIRST = {1};
    private static final byte[] SECOND = {2};

    private long nowNanos;
    private final HeatPiggyback piggyback = new HeatPiggyback(() -> nowNanos);
    private final HeatBoard<TableId, InetAddressAndPort> board =
            new HeatBoard<>(TimeUnit.HOURS.toNanos(1), BalanceSettings.defaults());
    private final HeatIntake intake = new HeatIntake(board, new DisksOfNodes<>(), TABLE::equals, () -> nowNanos);
    private final GossipState.Listener listener = HeatWire.listener(intake, piggyback);

    private byte[] riding(int node) {
        return piggyback.valueFor(null, node(node));
    }

    @Test
    void nothingRidesBeforeThereIsAReport() {
        assertNull(riding(1));
    }

    @Test
    void aReportGoesToEachNodeOnce() {
        piggyback.carry(FIRST);
        assertSame(FIRST, riding(1));
        assertNull(riding(1));
        assertSame(FIRST, riding(2));
    }

    @Test
    void aNewReportWaitsATenthOfASecond() {
        piggyback.carry(FIRST);
        riding(1);
        piggyback.carry(SECOND);
        nowNanos += TimeUnit.MILLISECONDS.toNanos(99);
        assertNull(riding(1));
        nowNanos += TimeUnit.MILLISECONDS.toNanos(1);
        assertSame(SECOND, riding(1));
    }

    @Test
    void aNodeThatLeftIsForgotten() {
        piggyback.carry(FIRST);
        riding(1);
        riding(2);
        listener.told(node(1), report());
        assertEquals(2, piggyback.remembered());
        assertNotNull(board.heatOf(TABLE, node(1), nowNanos));
        listener.removed(node(1));
        assertEquals(1, piggyback.remembered());
        assertNull(board.heatOf(TABLE, node(1), nowNanos));
    }

    @Test
    void aNodeThatRestartsIsCold() {
        listener.told(node(1), report());
        listener.restarted(node(1));
        assertEquals(1, board.heatOf(TABLE, node(1), nowNanos).value(), 1e-9);
    }

    @Test
    void whatCannotBeReadIsCounted() {
        listener.unreadable(node(1), new IllegalArgumentException("noise"));
        listener.told(node(1), new byte[] {9, 9, 9});
        assertEquals(2, intake.malformed());
        assertEquals(0, intake.accepted());
    }

    private static byte[] report() {
        UUID id = TABLE.asUUID();
        return new HeatReport.Builder()
                .add(id.getMostSignificantBits(), id.getLeastSignificantBits(), Heat.missRatio(0.25))
                .encode();
    }
}
