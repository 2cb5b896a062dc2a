// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import dev.isotherm.cassandra.runtime.Failures;
import dev.isotherm.cassandra.schema.TableLimits;
import dev.isotherm.limit.KeyLimit;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.SchemaChangeListener;
import org.apache.cassandra.schema.SchemaConstants;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;

/**
 * The limits in force on this node, per table: those of the table as the schema states them, and those of single
 * partitions.
 *
 * <p>Readers read one volatile field: null while no table and no partition has a limit, otherwise an unmodifiable map.
 * Changes are applied one at a time.
 */
final class LimitsInForce {
    private final Failures failures;
    private final SchemaChangeListener listener = new SchemaChangeListener() {
        @Override
        public void onCreateTable(TableMetadata table) {
            hear(() -> follow(table));
        }

        @Override
        public void onAlterTable(TableMetadata before, TableMetadata after, boolean affectsStatements) {
            hear(() -> follow(after));
        }

        @Override
        public void onDropTable(TableMetadata table, boolean dropData) {
            hear(() -> forget(table.id));
        }
    };
    private final Function<TableId, TableMetadata> schema;
    /** What was decided about tables that have no limit any more: what is counted never becomes less. */
    private final LimitCounts past = new LimitCounts();

    private volatile Map<TableId, LimitedTable> tables;
    /** The limits of single partitions by table. Guarded by this. */
    private Map<TableId, List<KeyLimit>> keys = Map.of();

    LimitsInForce(Failures failures) {
        this(failures, id -> Schema.instance.getTableMetadata(id));
    }

    /** @param schema the tables by their ids; null for one that there is not */
    LimitsInForce(Failures failures, Function<TableId, TableMetadata> schema) {
        this.failures = failures;
        this.schema = schema;
    }

    /** Reads the limits of the present schema and subscribes to its changes. */
    void start() {
        // The listener first: a change in between is read twice rather than missed.
        Schema.instance.registerListener(listener);
        Schema.instance.distributedKeyspaces().forEach(keyspace -> keyspace.tables.forEach(table -> read(table.id)));
    }

    /** Takes these limits of single partitions for all that there are. */
    synchronized void limitKeys(List<KeyLimit> holding) {
        Map<TableId, List<KeyLimit>> byTable = new HashMap<>();
        for (KeyLimit key : holding) {
            byTable.computeIfAbsent(tableOf(key), id -> new ArrayList<>()).add(key);
        }
        Set<TableId> changed = new HashSet<>(keys.keySet());
        changed.addAll(byTable.keySet());
        Map<TableId, List<KeyLimit>> before = keys;
        keys = byTable;
        changed.removeIf(id -> byTable.getOrDefault(id, List.of()).equals(before.get(id)));
        changed.forEach(this::read);
    }

    static TableId tableOf(KeyLimit key) {
        return TableId.fromUUID(new UUID(key.tableMsb(), key.tableLsb()));
    }

    /** The table that a partition's limit is about; null if this node has none with that id. */
    TableMetadata metadataOf(KeyLimit key) {
        return schema.apply(tableOf(key));
    }

    /** Whether no table and no partition has a limit. */
    boolean isEmpty() {
        return tables == null;
    }

    /** The table's limits; null when neither it nor a partition of it has any. */
    LimitedTable get(TableMetadata table) {
        return get(table.id);
    }

    /** The limits of the table with this id; null when neither it nor a partition of it has any. */
    LimitedTable get(TableId id) {
        Map<TableId, LimitedTable> limited = tables;
        return limited == null ? null : limited.get(id);
    }

    /** All tables that have a limit, or of which a partition has one. */
    Collection<LimitedTable> all() {
        Map<TableId, LimitedTable> limited = tables;
        return limited == null ? List.of() : limited.values();
    }

    /** One of the counts, summed over all tables, also over those that had a limit. */
    synchronized long sum(Function<LimitCounts, LongAdder> count) {
        return count.apply(past).sum()
                + all().stream()
                        .mapToLong(table -> count.apply(table.counts).sum())
                        .sum();
    }

    /** The listener for schema changes. */
    SchemaChangeListener listener() {
        return listener;
    }

    /** Cassandra applies a change of the schema on the way through its listeners: none of them may throw. */
    private void hear(Runnable change) {
        try {
            change.run();
        } catch (RuntimeException | LinkageError | AssertionError e) {
            failures.record("A table keeps the limits that it had before the schema changed", e);
        }
    }

    /** Reads the table again, with changes locked out, so that an older state cannot replace a newer one. */
    private synchronized void read(TableId id) {
        TableMetadata table = schema.apply(id);
        if (table != null) {
            follow(table);
        }
    }

    private synchronized void follow(TableMetadata table) {
        TableLimits limits = limitsOf(table);
        Map<Token, KeyLimit> ofKeys = keysOf(table);
        if (limits == null && ofKeys.isEmpty()) {
            forget(table.id);
            return;
        }
        LimitedTable previous = get(table.id);
        LimitCounts counts = previous == null ? new LimitCounts() : previous.counts;
        Map<TableId, LimitedTable> changed = new HashMap<>(tables == null ? Map.of() : tables);
        changed.put(table.id, new LimitedTable(table, limits == null ? TableLimits.EMPTY : limits, counts, ofKeys));
        tables = changed;
    }

    private synchronized void forget(TableId id) {
        LimitedTable forgotten = get(id);
        if (forgotten != null) {
            past.add(forgotten.counts);
            Map<TableId, LimitedTable> changed = new HashMap<>(tables);
            changed.remove(id);
            tables = changed.isEmpty() ? null : changed;
        }
    }

    private Map<Token, KeyLimit> keysOf(TableMetadata table) {
        // Another node may name any table.
        if (table.isVirtual() || SchemaConstants.isSystemKeyspace(table.keyspace)) {
            return Map.of();
        }
        Map<Token, KeyLimit> byToken = new HashMap<>();
        for (KeyLimit key : keys.getOrDefault(table.id, List.of())) {
            ByteBuffer bytes = ByteBuffer.wrap(key.key());
            // Another node may tell any bytes.
            if (PartitionKeyText.isOne(table, bytes)) {
                byToken.put(table.partitioner.getToken(bytes), key);
            }
        }
        return byToken;
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
                    "The limits of a table cannot be read from the schema, so that this node enforces none of them; set"
                            + " them again, or install the build that set them",
                    new IllegalArgumentException(table + ": " + unreadable.getMessage(), unreadable));
            return null;
        }
    }
}
