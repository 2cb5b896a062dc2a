// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import static dev.isotherm.cassandra.Addresses.node;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.isotherm.heat.BalanceSettings;
import dev.isotherm.heat.DisksOfNodes;
import dev.isotherm.heat.GossipLoad;
import dev.isotherm.heat.Heat;
import dev.isotherm.heat.HeatBoard;
import dev.isotherm.heat.HeatReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.schema.TableId;
import org.junit.jupiter.api.Test;

class HeatIntakeTest {
    private static final long STALE_NANOS = 1_000;
    private static final TableId TABLE = TableId.fromUUID(new UUID(1, 1));
    private static final TableId OTHER = TableId.fromUUID(new UUID(1, 2));
    private static final TableId UNKNOWN = TableId.fromUUID(new UUID(9, 9));

    private final HeatBoard<TableId, InetAddressAndPort> board =
            new HeatBoard<>(STALE_NANOS, BalanceSettings.defaults());
    private long nowNanos = 5;
    private final DisksOfNodes<InetAddressAndPort> disks = new DisksOfNodes<>();
    private final HeatIntake intake = new HeatIntake(board, disks, Set.of(TABLE, OTHER)::contains, () -> nowNanos);

    private static byte[] report(TableId table, double missRatio) {
        UUID id = table.asUUID();
        return new HeatReport.Builder()
                .add(id.getMostSignificantBits(), id.getLeastSignificantBits(), Heat.missRatio(missRatio))
                .encode();
    }

    private double missRatio(TableId table, int node) {
        return board.heatOf(table, node(node), nowNanos).value();
    }

    @Test
    void aReportIsBelieved() {
        intake.accept(node(1), report(TABLE, 0.25));
        assertEquals(0.25, missRatio(TABLE, 1), 0.01);
        assertEquals(1, intake.accepted());
        assertEquals(0, intake.malformed());
    }

    private int servedAtOnce(int node) {
        return disks.of(node(node));
    }

    @Test
    void whatANodeTellsOfItsDiskIsKeptUntilItTellsNothingOrLeaves() {
        byte[] ofFour = new HeatReport.Builder().servedAtOnce(4).encode();
        intake.accept(node(1), ofFour);
        assertEquals(4, servedAtOnce(1));
        intake.accept(node(1), report(TABLE, 0.25));
        assertEquals(1, servedAtOnce(1), "it does not know any more");
        intake.accept(node(1), ofFour);
        assertEquals(4, servedAtOnce(1));
        intake.removed(node(1));
        assertEquals(1, servedAtOnce(1));
    }

    /** By gossip and on a response at once: neither makes cold what the other has told. */
    @Test
    void firstReportsThatComeTogetherAreBothBelieved() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(2);
        CyclicBarrier together = new CyclicBarrier(2);
        try {
            for (int node = 1; node <= 200; node++) {
                InetAddressAndPort from = node(node);
                List<Future<?>> both = new ArrayList<>();
                for (TableId table : List.of(TABLE, OTHER)) {
                    both.add(threads.submit(() -> {
                        together.await();
                        intake.accept(from, report(table, 0.25));
                        return null;
                    }));
                }
                for (Future<?> each : both) {
                    each.get();
                }
                assertEquals(0.25, missRatio(TABLE, node), 0.01);
                assertEquals(0.25, missRatio(OTHER, node), 0.01);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void aTableThisNodeDoesNotHaveIsNotKept() {
        intake.accept(node(1), report(UNKNOWN, 0.25));
        assertEquals(Set.of(), board.tables());
    }

    @Test
    void noiseChangesNothingAndIsCounted() {
        intake.accept(node(1), report(TABLE, 0.25));
        Random random = new Random(42);
        int refused = 0;
        for (int i = 0; i < 10_000; i++) {
            byte[] noise = new byte[random.nextInt(64)];
            random.nextBytes(noise);
            if (noise.length > 0 && (noise[0] == 1 || noise[0] == 2)) {
                noise[0] = 9; // an unknown version, so that every draw is malformed
            }
            intake.accept(node(2), noise);
            refused++;
        }
        assertEquals(refused, intake.malformed());
        assertEquals(1, intake.accepted());
        assertEquals(0.25, missRatio(TABLE, 1), 0.01);
        assertNull(board.heatOf(TABLE, node(2), nowNanos));
    }

    @Test
    void whatAFirstReportLacksIsCold() {
        intake.accept(node(1), report(TABLE, 0.25));
        intake.accept(node(2), report(OTHER, 0.5));
        assertEquals(1, missRatio(TABLE, 2));
    }

    /** In a large cluster a report has the tables that are read most: the node may be warm for others. */
    @Test
    void whatAReportMayHaveLeftOutIsNotKnown() {
        intake.accept(node(1), report(TABLE, 0.25));
        HeatReport.Builder cut = new HeatReport.Builder();
        for (int read = 0; read < GossipLoad.LEAST_TABLES; read++) {
            cut.add(2, read, Heat.missRatio(0.5));
        }
        intake.accept(node(2), cut.encode());
        assertNull(board.heatOf(TABLE, node(2), nowNanos));
    }

    @Test
    void aNodeThatRestartsIsColdUntilItReports() {
        intake.accept(node(1), report(TABLE, 0.25));
        intake.accept(node(2), report(TABLE, 0.5));
        intake.restarted(node(2));
        assertEquals(1, missRatio(TABLE, 2));
        assertEquals(0.25, missRatio(TABLE, 1), 0.01);
        intake.accept(node(2), report(TABLE, 0.5));
        assertEquals(0.5, missRatio(TABLE, 2), 0.02);
    }

    @Test
    void aNodeWithoutThePluginStaysUnknownWhenItRestarts() {
        intake.accept(node(1), report(TABLE, 0.25));
        intake.restarted(node(3));
        assertNull(board.heatOf(TABLE, node(3), nowNanos));
    }

    /** As one from which the plugin was taken away: it can never tell that it is warm. */
    @Test
    void aNodeThatHasNotReportedSinceItRestartedIsUnknownWhenItDoesSoAgain() {
        intake.accept(node(1), report(TABLE, 0.25));
        intake.accept(node(2), report(TABLE, 0.5));
        intake.restarted(node(2));
        assertEquals(1, missRatio(TABLE, 2));
        nowNanos += HeatIntake.SILENT_NANOS;
        intake.accept(node(1), report(TABLE, 0.25));
        intake.restarted(node(2));
        assertNull(board.heatOf(TABLE, node(2), nowNanos));
        intake.restarted(node(2));
        assertNull(board.heatOf(TABLE, node(2), nowNanos));
        intake.accept(node(2), report(OTHER, 0.5));
        assertEquals(1, missRatio(TABLE, 2));
        assertEquals(0.5, missRatio(OTHER, 2), 0.02);
    }

    @Test
    void aNodeThatRestartsAgainAndAgainIsColdForAsLongAsItMayYetReport() {
        intake.accept(node(1), report(TABLE, 0.25));
        intake.restarted(node(1));
        nowNanos += HeatIntake.SILENT_NANOS - 1;
        intake.restarted(node(1));
        assertEquals(1, missRatio(TABLE, 1));
        intake.accept(node(1), report(TABLE, 0.25));
        nowNanos += HeatIntake.SILENT_NANOS;
        intake.restarted(node(1));
        assertEquals(1, missRatio(TABLE, 1));
    }

    @Test
    void aNodeThatJoinsIsColdForWhatItHasNotRead() {
        intake.accept(node(1), report(TABLE, 0.25));
        intake.accept(node(1), report(OTHER, 0.25));
        intake.accept(node(2), report(TABLE, 0.5));
        assertEquals(1, missRatio(OTHER, 2));
        assertEquals(0.5, missRatio(TABLE, 2), 0.02);
    }

    @Test
    void aRemovedNodeIsForgotten() {
        intake.accept(node(1), report(TABLE, 0.25));
        intake.removed(node(1));
        assertNull(board.heatOf(TABLE, node(1), nowNanos));
    }

    @Test
    void silenceMakesABeliefSayNothing() {
        intake.accept(node(1), report(TABLE, 0.25));
        nowNanos += STALE_NANOS + 1;
        assertNull(board.heatOf(TABLE, node(1), nowNanos));
    }
}
