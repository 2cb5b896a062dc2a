// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.Metric;
import dev.isotherm.heat.BalanceSettings;
import dev.isotherm.heat.Heat;
import dev.isotherm.heat.HeatBoard;
import dev.isotherm.heat.RequestRate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.metrics.CassandraMetricsRegistry;
import org.apache.cassandra.schema.TableId;
import org.junit.jupiter.api.Test;

/** What 2,000 tables on 500 nodes cost one node, in heap and in time. Prints the figures of docs/operating.md. */
class HeatOfManyTest {
    private static final int TABLES = 2_000;
    private static final int NODES = 500;
    private static final int ROUNDS = 3;

    private final HeatBoard<TableId, InetAddressAndPort> board =
            new HeatBoard<>(Long.MAX_VALUE / 2, BalanceSettings.defaults());
    private final ShareLedger ledger = new ShareLedger();
    private final HeatMetrics metrics = new HeatMetrics(
            board, table -> ledger, table -> "ks.t" + table.asUUID().getLeastSignificantBits(), () -> 0);

    @Test
    void heapAndGaugesAreBounded() throws Exception {
        List<TableId> tables = new ArrayList<>();
        for (int table = 0; table < TABLES; table++) {
            tables.add(TableId.fromUUID(new UUID(7, table)));
        }
        List<InetAddressAndPort> nodes = new ArrayList<>();
        for (int node = 0; node < NODES; node++) {
            nodes.add(InetAddressAndPort.getByNameOverrideDefaults("10.0." + node / 250 + '.' + node % 250, 7000));
        }
        SplittableRandom random = new SplittableRandom(1);

        long empty = UsedHeap.bytes();
        long began = System.nanoTime();
        for (InetAddressAndPort node : nodes) {
            for (TableId table : tables) {
                board.report(
                        table,
                        node,
                        Heat.missRatio(random.nextDouble()),
                        RequestRate.perSecond(random.nextInt(1_000)),
                        0);
            }
        }
        long reported = System.nanoTime();
        long withBoard = UsedHeap.bytes();
        long registering = System.nanoTime();
        metrics.followTables();
        long registered = System.nanoTime();
        long withGauges = UsedHeap.bytes();
        long following = System.nanoTime();
        for (int round = 0; round < ROUNDS; round++) {
            metrics.followTables();
        }
        long followed = System.nanoTime();
        int gauges = HeatMetricsTest.registered().size();
        long reading = System.nanoTime();
        int unknown = 0;
        for (Map.Entry<String, Metric> each :
                CassandraMetricsRegistry.Metrics.getMetrics().entrySet()) {
            Metric metric = each.getValue();
            Object value = metric instanceof Gauge ? ((Gauge<?>) metric).getValue() : null;
            if (each.getKey().contains("Isotherm.ShareDifferenceMost.") && Double.isNaN((Double) value)) {
                unknown++;
            }
        }
        long scraped = System.nanoTime();
        System.out.printf(
                "%d tables x %d nodes: board %.0f MB (%d bytes for each), filled in %d ms;"
                        + " %d gauges %.1f MB, registered in %d ms, followed in %d ms, all read in %d ms%n",
                TABLES,
                NODES,
                (withBoard - empty) / 1e6,
                (withBoard - empty) / (TABLES * NODES),
                millis(reported - began),
                gauges,
                (withGauges - withBoard) / 1e6,
                millis(registered - registering),
                millis(followed - following) / ROUNDS,
                millis(scraped - reading));
        assertEquals(TABLES, unknown, "without reads there is no share");
        assertEquals(4 * TABLES, gauges);
        assertTrue((withBoard - empty) / (TABLES * NODES) < 150, "bytes on the board for each table and node");
        assertTrue((withGauges - withBoard) / gauges < 6_000, "bytes for each gauge");

        tables.forEach(board::forgetTable);
        metrics.followTables();
        assertEquals(0, HeatMetricsTest.registered().size());
    }

    private static long millis(long nanos) {
        return nanos / 1_000_000;
    }
}
