// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.isotherm.cassandra.Addresses;
import dev.isotherm.cassandra.innode.NodeInProcess;
import dev.isotherm.cassandra.runtime.Failures;
import dev.isotherm.heat.BalanceSettings;
import dev.isotherm.heat.Heat;
import dev.isotherm.heat.HeatBoard;
import dev.isotherm.heat.Placement;
import dev.isotherm.heat.RequestRate;
import dev.isotherm.heat.RoundTrips;
import dev.isotherm.heat.SeenMisses;
import java.io.IOException;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.locator.IEndpointSnitch;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.SimpleSnitch;
import org.apache.cassandra.schema.TableId;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Node 1 chooses with the nodes 2 and 3, which vote as they are told. */
class PlacementChooserInNodeTest {
    private static final long SECOND = 1_000_000_000L;
    private static final RequestRate RATE = RequestRate.perSecond(100);
    private static ColumnFamilyStore table;

    private final BalanceSettings settings = BalanceSettings.defaults();
    private final HeatSwitches switches = new HeatSwitches(true, settings, PlacementChoice.AUTO);
    private final HeatBoard<TableId, InetAddressAndPort> board = new HeatBoard<>(90 * SECOND, settings);
    private final SeenMisses seen = new SeenMisses(settings);
    private final Failures failures = new Failures();
    private boolean snitchFails;
    private final IEndpointSnitch snitch = new SimpleSnitch() {
        @Override
        public String getDatacenter(InetAddressAndPort node) {
            if (snitchFails) {
                throw new IllegalStateException("no such node");
            }
            return node.equals(Addresses.node(4)) || node.equals(Addresses.node(5)) ? "elsewhere" : super.getDatacenter(node);
        }
    };
    private final PlacementChooser chooser =
            new PlacementChooser(switches, board, new RoundTrips(), snitch, Addresses.node(1), failures);

    @BeforeAll
    static void begin() throws IOException {
        NodeInProcess.begin();
        table = NodeInProcess.table("chosen", "comment = ''");
    }

    private Placement look(int second, Placement ofNode2, Placement ofNode3) {
        board.report(table.metadata.id, Addresses.node(2), Heat.missRatio(0.3), RATE, ofNode2, second * SECOND);
        board.report(table.metadata.id, Addresses.node(3), Heat.missRatio(0.3), RATE, ofNode3, second * SECOND);
        seen.addLookUps(30, 100);
        return chooser.vote(table, seen, RATE, second * SECOND);
    }

    private Placement inForce() {
        return switches.balanceOf(table.metadata.id).settings().placement();
    }

    @Test
    void aNodeThatStartsTakesOverWhatTheOthersVoteForAndFollowsThem() {
        assertNull(look(1, Placement.AFFINITY, Placement.AFFINITY));
        assertSame(Placement.LOCAL, inForce());
        assertSame(Placement.AFFINITY, look(2, Placement.AFFINITY, Placement.AFFINITY));
        assertSame(Placement.AFFINITY, inForce());
        look(3, Placement.LOCAL, Placement.AFFINITY);
        assertSame(Placement.AFFINITY, inForce());
        look(4, Placement.LOCAL, Placement.LOCAL);
        assertSame(Placement.LOCAL, inForce());
    }

    private void takeOverAffinity() {
        look(1, Placement.AFFINITY, Placement.AFFINITY);
        look(2, Placement.AFFINITY, Placement.AFFINITY);
        assertSame(Placement.AFFINITY, inForce());
    }

    /** An operator's local counts even where the setting is auto again before the next look. */
    @Test
    void whatTheSettingWasMeanwhileIsInForce() {
        takeOverAffinity();
        switches.use(settings.withPlacement(Placement.LOCAL));
        switches.use(settings, PlacementChoice.AUTO);
        assertNull(look(3, null, null), "it begins anew");
        assertSame(Placement.LOCAL, inForce());
        look(4, Placement.AFFINITY, Placement.AFFINITY);
        assertSame(Placement.AFFINITY, inForce());
    }

    @Test
    void whereALookFailsThePlacementIsLocalAndTheHeatIsMeasuredAllTheSame() {
        takeOverAffinity();
        snitchFails = true;
        assertNull(look(3, Placement.AFFINITY, Placement.AFFINITY));
        assertEquals(1, failures.count());
        assertSame(Placement.LOCAL, inForce());
    }

    @Test
    void votesOfAnotherDatacenterDoNotCount() {
        look(1, null, null);
        for (int node = 4; node <= 5; node++) {
            board.report(
                    table.metadata.id, Addresses.node(node), Heat.missRatio(0.3), RATE, Placement.AFFINITY, 2 * SECOND);
        }
        look(2, null, null);
        assertSame(Placement.LOCAL, inForce());
    }

    @Test
    void withAnotherSettingThereIsNoVote() {
        takeOverAffinity();
        switches.use(settings.withPlacement(Placement.LOCAL));
        assertNull(look(3, Placement.AFFINITY, Placement.AFFINITY));
        assertSame(Placement.LOCAL, inForce());
    }
}
