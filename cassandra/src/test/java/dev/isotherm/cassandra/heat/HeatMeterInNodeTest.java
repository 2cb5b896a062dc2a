// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.cassandra.innode.NodeInProcess;
import dev.isotherm.cassandra.runtime.Failures;
import dev.isotherm.heat.BalanceSettings;
import dev.isotherm.heat.Heat;
import dev.isotherm.heat.HeatBoard;
import dev.isotherm.heat.RequestRate;
import dev.isotherm.heat.RoundTrips;
import java.io.IOException;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.SimpleSnitch;
import org.apache.cassandra.schema.TableId;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Which tables a node tells heats of that has not read them since it started. */
class HeatMeterInNodeTest {
    private static final long SECOND = 1_000_000_000L;
    private static final int MANY = 100;
    /** A multiple of the two in which each of so many tables has its turn if it is at rest. */
    private static final int ROUNDS = 6;
    /** Reads, of which a fiftieth is a whole number. */
    private static final int A_ROUND = 200;

    @BeforeAll
    static void begin() throws IOException {
        NodeInProcess.begin();
    }

    private static InetAddressAndPort node(String address) {
        try {
            return InetAddressAndPort.getByName(address);
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }

    private final InetAddressAndPort self = node("127.0.0.1");
    private final InetAddressAndPort peer = node("127.0.0.2");
    private final BalanceSettings settings = BalanceSettings.defaults();
    private final HeatBoard<TableId, InetAddressAndPort> board = new HeatBoard<>(90 * SECOND, settings);
    private final HeatSwitches switches = new HeatSwitches(true, settings, PlacementChoice.LOCAL);
    private final PlacementChooser chooser = new PlacementChooser(
            switches,
            board,
            new RoundTrips(),
            new SimpleSnitch(),
            Set::of,
            node -> false,
            node -> false,
            self,
            new Failures());
    private final HeatMeter meter =
            new HeatMeter(HeatSourceChoice.CACHE, null, switches, 3 * SECOND, board, self, chooser);

    @Test
    void aTableThatOnlyOthersReadIsToldOnceTheRateIsKnown() throws IOException {
        String cached = "caching = {'keys': 'ALL', 'rows_per_partition': 'ALL'}";
        ColumnFamilyStore readElsewhere = NodeInProcess.table("read_elsewhere", cached);
        ColumnFamilyStore idle = NodeInProcess.table("idle", cached);
        List<ColumnFamilyStore> tables = List.of(readElsewhere, idle);
        meter.sample(() -> tables, 0);
        assertEquals(Set.of(), board.tables(), "nobody reads either");
        board.report(readElsewhere.metadata.id, peer, Heat.missRatio(0.3), 0);
        assertEquals(Map.of(), meter.sample(() -> tables, 2 * SECOND), "clients may still return");
        meter.sample(() -> tables, 4 * SECOND);
        Map<TableId, TableHeat> told = meter.sample(() -> tables, 6 * SECOND);
        assertEquals(1, told.size());
        TableHeat heat = told.get(readElsewhere.metadata.id);
        assertSame(RequestRate.NONE, heat.rate);
        assertSame(Heat.missRatio(1), heat.heat, "it is cold");
        assertNull(heat.vote, "the placement is not chosen by votes");
        assertEquals(Set.of(readElsewhere.metadata.id), board.tables());
        assertSame(Heat.missRatio(1), board.heatOf(readElsewhere.metadata.id, self, 6 * SECOND));
    }

    /** Of a hundred tables and more those that are read are looked at in each round, and the others in turn. */
    @Test
    void tablesAtRestAreLookedAtInTurn() {
        String cached = "caching = {'keys': 'ALL', 'rows_per_partition': 'ALL'}";
        List<String> names =
                IntStream.range(0, MANY).mapToObj(table -> "at_rest_" + table).collect(Collectors.toList());
        List<ColumnFamilyStore> tables = NodeInProcess.tables(names, cached);
        tables.forEach(table -> board.report(table.metadata.id, peer, Heat.missRatio(0.3), 0));
        ColumnFamilyStore read = tables.get(MANY / 2);
        for (int second = 1; second < 9; second++) {
            read.metric.coordinatorReadLatency.update(1, TimeUnit.MILLISECONDS);
            meter.sample(() -> tables, second * SECOND);
        }
        int measured = 0;
        for (int second = 9; second < 9 + ROUNDS; second++) {
            read.metric.coordinatorReadLatency.update(1, TimeUnit.MILLISECONDS);
            assertEquals(MANY, meter.sample(() -> tables, second * SECOND).size(), "the rates of all are known");
            assertEquals(0, board.ageNanos(read.metadata.id, self, second * SECOND));
            measured += measuredAt(tables, second * SECOND);
        }
        assertEquals(ROUNDS / 2 * (MANY - 1) + ROUNDS, measured);
        ColumnFamilyStore readAgain = tables.get(MANY / 2 + 1);
        readAgain.metric.coordinatorReadLatency.update(1, TimeUnit.MILLISECONDS);
        for (int second = 20; second < 23; second++) {
            meter.sample(() -> tables, second * SECOND);
            assertEquals(
                    second == 20 ? 6 * SECOND : 0,
                    board.ageNanos(readAgain.metadata.id, self, second * SECOND),
                    "not before its turn, then in each round");
        }
        meter.sample(() -> tables, 23 * SECOND);
        List<ColumnFamilyStore> dropped = tables.subList(0, MANY / 2);
        List<ColumnFamilyStore> left = tables.subList(MANY / 2, MANY);
        assertEquals(MANY / 2, meter.sample(() -> left, 30 * SECOND).size());
        meter.sample(() -> tables, 31 * SECOND);
        meter.sample(() -> tables, 32 * SECOND);
        assertEquals(MANY / 2, measuredAt(dropped, 32 * SECOND), "each was forgotten, and is new");
        assertEquals(MANY / 2, meter.sample(() -> tables, 33 * SECOND).size(), "their rates are not known yet");
        meter.sample(() -> tables, 34 * SECOND);
        meter.restUnlessUsed();
        meter.restUnlessUsed();
        meter.sample(List::of, 35 * SECOND);
        assertEquals(Map.of(), meter.sample(List::of, 36 * SECOND), "after a rest it asks anew which there are");
    }

    /** Each second, as a node asks, there have been some rounds, and not all tables have had their turn. */
    @Test
    void aMeterThatIsUsedDoesNotRestBeforeAllHaveHadTheirTurn() {
        List<String> names = IntStream.range(0, 2 * MANY + MANY / 2)
                .mapToObj(table -> "used_" + table)
                .collect(Collectors.toList());
        List<ColumnFamilyStore> tables = NodeInProcess.tables(names, "caching = {'rows_per_partition': 'ALL'}");
        tables.forEach(table -> board.report(table.metadata.id, peer, Heat.missRatio(0.3), 0));
        for (int second = 1; second <= 3; second++) {
            meter.sample(() -> tables, second * SECOND);
            meter.sample(() -> tables, second * SECOND + SECOND / 5);
            meter.restUnlessUsed();
        }
        for (ColumnFamilyStore table : tables) {
            assertNotNull(board.heatOf(table.metadata.id, self, 4 * SECOND), table.name);
        }
    }

    /** Of two hundred and more half, and so on to a fifth, is looked at in each round: all are a second old at most. */
    @Test
    void ofManyTablesThatAreReadEachHasItsTurn() {
        int many = 2 * MANY + 20;
        List<String> names =
                IntStream.range(0, many).mapToObj(table -> "read_" + table).collect(Collectors.toList());
        List<ColumnFamilyStore> tables = NodeInProcess.tables(names, "caching = {'rows_per_partition': 'ALL'}");
        for (int round = 1; round <= 10; round++) {
            read(tables);
            meter.sample(() -> tables, round * SECOND);
        }
        int measured = 0;
        int ended = 0;
        for (int round = 11; round <= 20; round++) {
            read(tables);
            assertEquals(many, meter.sample(() -> tables, round * SECOND).size(), "what is known stays told");
            measured += measuredAt(tables, round * SECOND);
            ended += meter.hasLookedAtAllRead() ? 1 : 0;
            for (ColumnFamilyStore table : tables) {
                assertTrue(board.ageNanos(table.metadata.id, self, round * SECOND) <= SECOND, table.name);
            }
        }
        assertEquals(5, ended, "of ten rounds each second one ends the turns");
        // Half of them, and those of the others that would have had their turn at rest.
        assertTrue(measured >= 5 * many && measured < 7.5 * many, measured + " in ten rounds");
    }

    private static void read(List<ColumnFamilyStore> tables) {
        tables.forEach(table -> table.metric.coordinatorReadLatency.update(1, TimeUnit.MILLISECONDS));
        tables.forEach(table -> table.metric.rowCacheHit.inc());
    }

    /** The features were off, or the process stood still: what was read meanwhile says nothing of now. */
    @Test
    void aPauseIsNeitherReadsNorATimeWithoutReads() {
        ColumnFamilyStore table = NodeInProcess.table("paused", "caching = {'rows_per_partition': 'ALL'}");
        run(table, 0, 60 * SECOND, 2);
        assertEquals(0.02, board.heatOf(table.metadata.id, self, 60 * SECOND).value(), 0.01);
        table.metric.rowCacheHit.inc(3_600 * A_ROUND * 5);
        TableHeat heat = run(table, 3_660 * SECOND, SECOND, 30);
        assertEquals(5 * A_ROUND, heat.rate.perSecond(), A_ROUND);
        heat = run(table, 3_661 * SECOND, 29 * SECOND, 30);
        assertEquals(0.3, heat.heat.value(), 0.02);
    }

    /** On a node without a processor to spare each sample comes late. */
    @Test
    void wherePausesAreTheRuleItIsMeasuredAllTheSame() {
        ColumnFamilyStore table = NodeInProcess.table("always_late", "caching = {'rows_per_partition': 'ALL'}");
        TableHeat heat = null;
        for (int sample = 0; sample < 40; sample++) {
            heat = run(table, sample * 5 * SECOND, 1, 30);
        }
        assertEquals(0.3, heat.heat.value(), 0.02);
        assertEquals(A_ROUND / 5.0, heat.rate.perSecond(), A_ROUND / 50.0);
    }

    /** Rounds of as many reads, so many per cent of which miss the row cache. */
    private TableHeat run(ColumnFamilyStore table, long fromNanos, long nanos, int missed) {
        TableHeat heat = null;
        for (long now = fromNanos; now < fromNanos + nanos; now += SECOND / 5) {
            table.metric.rowCacheMiss.inc(missed * A_ROUND / 100);
            table.metric.rowCacheHit.inc((100 - missed) * A_ROUND / 100);
            for (int read = 0; read < A_ROUND; read++) {
                table.metric.coordinatorReadLatency.update(1, TimeUnit.MILLISECONDS);
            }
            heat = meter.sample(() -> List.of(table), now).get(table.metadata.id);
        }
        return heat;
    }

    private int measuredAt(List<ColumnFamilyStore> tables, long nowNanos) {
        return (int) tables.stream()
                .filter(table -> board.ageNanos(table.metadata.id, self, nowNanos) == 0)
                .count();
    }
}
