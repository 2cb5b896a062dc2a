// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import dev.isotherm.cassandra.views.IsothermMetrics;
import dev.isotherm.heat.HeatBoard;
import dev.isotherm.heat.HeatSummary;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;

/**
 * A summary of the heat and the shares of each table, as metrics: four gauges for a table, however many nodes there
 * are. The virtual table has the figures of each replica.
 *
 * <p>The scope is {@code keyspace.table}. Used by one thread.
 */
final class HeatMetrics {
    private static final String LEAST = "HeatLeast";
    private static final String MOST = "HeatMost";
    private static final String OLDEST = "HeatOldestAgeMillis";
    private static final String DIFFERENCE = "ShareDifferenceMost";

    private final HeatBoard<TableId, InetAddressAndPort> board;
    private final Function<TableId, ShareLedger> ledgers;
    private final Function<TableId, String> scopes;
    private final LongSupplier nanoClock;
    /** The table of each registered scope. */
    private final Map<String, TableId> registered = new HashMap<>();

    /** @param scopes the scope of a table's gauges, null for a table that does not exist */
    HeatMetrics(
            HeatBoard<TableId, InetAddressAndPort> board,
            Function<TableId, ShareLedger> ledgers,
            Function<TableId, String> scopes,
            LongSupplier nanoClock) {
        this.board = board;
        this.ledgers = ledgers;
        this.scopes = scopes;
        this.nanoClock = nanoClock;
    }

    /** The name of a table in the schema, with its keyspace. */
    static String nameInSchema(TableId id) {
        TableMetadata table = Schema.instance.getTableMetadata(id);
        return table == null ? null : table.keyspace + '.' + table.name;
    }

    /** Registers the gauges of tables that appeared and removes those of tables that are gone. */
    void followTables() {
        // First those that are gone: a table may have been made anew under the same name.
        for (Iterator<Map.Entry<String, TableId>> all = registered.entrySet().iterator(); all.hasNext(); ) {
            Map.Entry<String, TableId> each = all.next();
            if (!board.tables().contains(each.getValue())) {
                for (String gauge : new String[] {LEAST, MOST, OLDEST, DIFFERENCE}) {
                    IsothermMetrics.remove(gauge, each.getKey());
                }
                all.remove();
            }
        }
        for (TableId table : board.tables()) {
            String scope = scopes.apply(table);
            if (scope != null && registered.putIfAbsent(scope, table) == null) {
                register(scope, table);
            }
        }
    }

    private void register(String scope, TableId table) {
        IsothermMetrics.register(LEAST, scope, () -> summaryOf(table).least);
        IsothermMetrics.register(MOST, scope, () -> summaryOf(table).most);
        IsothermMetrics.register(OLDEST, scope, () -> summaryOf(table).oldestAgeNanos / 1e6);
        IsothermMetrics.register(DIFFERENCE, scope, () -> ledgers.apply(table).mostDifference());
    }

    private HeatSummary summaryOf(TableId table) {
        return HeatSummary.of(board, table, nanoClock.getAsLong());
    }
}
