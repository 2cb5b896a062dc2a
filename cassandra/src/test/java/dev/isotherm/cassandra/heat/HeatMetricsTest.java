// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import static dev.isotherm.cassandra.Addresses.node;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.codahale.metrics.Gauge;
import dev.isotherm.heat.BalanceSettings;
import dev.isotherm.heat.Heat;
import dev.isotherm.heat.HeatBoard;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.metrics.CassandraMetricsRegistry;
import org.apache.cassandra.schema.TableId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HeatMetricsTest {
    private static final long MILLI = 1_000_000;

    private final HeatBoard<TableId, InetAddressAndPort> board =
            new HeatBoard<>(1_000 * MILLI, BalanceSettings.defaults());
    private final ShareLedger ledger = new ShareLedger();
    private final Map<TableId, String> names = new HashMap<>();
    private long nowNanos;
    private final HeatMetrics metrics = new HeatMetrics(board, table -> ledger, names::get, () -> nowNanos);

    @AfterEach
    void forgetAll() {
        Set.copyOf(board.tables()).forEach(board::forgetTable);
        metrics.followTables();
        assertEquals(Set.of(), registered());
    }

    static Set<String> registered() {
        return CassandraMetricsRegistry.Metrics.getNames().stream()
                .filter(name -> name.contains("Isotherm"))
                .collect(Collectors.toSet());
    }

    private TableId table(int number, String name) {
        TableId table = TableId.fromUUID(new UUID(7, number));
        names.put(table, name);
        return table;
    }

    private static double value(String gauge) {
        return CassandraMetricsRegistry.Metrics.getMetrics().entrySet().stream()
                .filter(each -> each.getKey().contains("Isotherm." + gauge + "."))
                .map(each -> (Double) ((Gauge<?>) each.getValue()).getValue())
                .findAny()
                .orElseThrow();
    }

    @Test
    void theNumberOfNodesAddsNoGauge() {
        for (int number = 0; number < 20; number++) {
            for (int node = 1; node <= 50; node++) {
                board.report(table(number, "ks.t" + number), node(node), Heat.missRatio(0.5), nowNanos);
            }
        }
        metrics.followTables();
        metrics.followTables();
        assertEquals(20 * 4, registered().size());
    }

    @Test
    void theGaugesSummarise() {
        TableId table = table(1, "ks.t");
        board.report(table, node(1), Heat.missRatio(0.25), 0);
        board.report(table, node(2), Heat.missRatio(1), 3 * MILLI);
        metrics.followTables();
        nowNanos = 5 * MILLI;
        assertEquals(Heat.missRatio(0.25).value(), value("HeatLeast"));
        assertEquals(1, value("HeatMost"));
        assertEquals(5, value("HeatOldestAgeMillis"));
        assertTrue(Double.isNaN(value("ShareDifferenceMost")));
        ledger.add(node(1), 3, 2);
        ledger.add(node(2), 1, 2);
        assertEquals(0.25, value("ShareDifferenceMost"), 1e-12);
    }

    @Test
    void aTableMadeAnewUnderItsNameHasItsOwnGauges() {
        TableId old = table(1, "ks.t");
        board.report(old, node(1), Heat.missRatio(1), 0);
        metrics.followTables();
        board.forgetTable(old);
        board.report(table(2, "ks.t"), node(1), Heat.missRatio(0.5), 0);
        metrics.followTables();
        assertEquals(4, registered().size());
        assertEquals(Heat.missRatio(0.5).value(), value("HeatMost"));
    }

    @Test
    void aTableThatTheSchemaDoesNotHaveYetWaits() {
        TableId table = table(1, null);
        board.report(table, node(1), Heat.missRatio(1), 0);
        metrics.followTables();
        assertEquals(Set.of(), registered());
        names.put(table, "ks.t");
        metrics.followTables();
        assertEquals(4, registered().size());
    }
}
