// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import dev.isotherm.cassandra.runtime.Failures;
import dev.isotherm.cassandra.schema.TableLimits;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.SchemaChangeListener;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;

/**
 * The limits in force on this node, per table, as the schema states them.
 *
 * <p>Readers read one volatile field: null while no table has a limit, otherwise an unmodifiable map. Schema changes
 * are applied one at a time.
 */
final class LimitsInForce {
    private final Failures failures;
    private final SchemaChangeListener listener = new SchemaChangeListener() {
        @Override
        public void onCreateTable(TableMetadata table) {
            follow(table);
        }

        @Override
        public void onAlterTable(TableMetadata before, TableMetadata after, boolean affectsStatements) {
            follow(after);
        }

        @Override
        public void onDropTable(TableMetadata table, boolean dropData) {
            forget(table.id);
        }
    };
    private volatile Map<TableId, LimitedTable> tables;

    LimitsInForce(Failures failures) {
        this.failures = failures;
    }

    /** Reads the limits of the present schema and subscribes to its changes. */
    void start() {
        // The listener first: a change in between is read twice rather than missed.
        Schema.instance.registerListener(listener);
        Schema.instance.distributedKeyspaces().forEach(keyspace -> keyspace.tables.forEach(table -> read(table.id)));
    }

    /** Whether no table has a limit. */
    boolean isEmpty() {
        return tables == null;
    }

    /** The table's limits; null when it has none. */
    LimitedTable get(TableMetadata table) {
        return get(table.id);
    }

    /** The limits of the table with this id; null if it has none. */
    LimitedTable get(TableId id) {
        Map<TableId, LimitedTable> limited = tables;
        return limited == null ? null : limited.get(id);
    }

    /** All tables that have a limit. */
    Collection<LimitedTable> all() {
        Map<TableId, LimitedTable> limited = tables;
        return limited == null ? List.of() : limited.values();
    }

    /** One of the counts, summed over all tables that have a limit. */
    long sum(Function<LimitCounts, LongAdder> count) {
        return all().stream()
                .mapToLong(table -> count.apply(table.counts).sum())
                .sum();
    }

    /** The listener for schema changes. */
    SchemaChangeListener listener() {
        return listener;
    }

    /** Reads the table again, with changes locked out, so that an older state cannot replace a newer one. */
    private synchronized void read(TableId id) {
        TableMetadata table = Schema.instance.getTableMetadata(id);
        if (table != null) {
            follow(table);
        }
    }

    private synchronized void follow(TableMetadata table) {
        TableLimits limits = limitsOf(table);
        if (limits == null) {
            forget(table.id);
            return;
        }
        LimitedTable previous = get(table.id);
        LimitCounts counts = previous == null ? new LimitCounts() : previous.counts;
        Map<TableId, LimitedTable> changed = new HashMap<>(tables == null ? Map.of() : tables);
        changed.put(table.id, new LimitedTable(table, limits, counts));
        tables = changed;
    }

    private synchronized void forget(TableId id) {
        if (get(id) != null) {
            Map<TableId, LimitedTable> changed = new HashMap<>(tables);
            changed.remove(id);
            tables = changed.isEmpty() ? null : changed;
        }
    }

    private TableLimits limitsOf(TableMetadata table) {
        ByteBuffer stored = table.params.extensions.get(TableLimits.EXTENSION);
        if (stored == null) {
            return null;
        }
        try {
            TableLimits limits = TableLimits.decode(stored);
            return limits.isEmpty() ? null : limits;
        } catch (RuntimeException unreadable) {
            failures.record(
                    "The limits of a table cannot be read from the schema; it has none until they are set again",
                    unreadable);
            return null;
        }
    }
}
