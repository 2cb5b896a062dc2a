// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import dev.isotherm.limit.KeyLimit;
import dev.isotherm.limit.KeyLimits;
import dev.isotherm.limit.Operation;
import java.nio.ByteBuffer;
import java.util.Date;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.rows.Cell;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.db.virtual.VirtualKeyspaceRegistry;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.SchemaConstants;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.ByteBufferUtil;

/** One row of {@code isotherm.limited_partitions} as a statement writes it, checked. */
final class LimitedPartitionRow {
    private static final String LIMITS = "a whole number from 1 to " + Integer.MAX_VALUE;

    private final TableMetadata table;
    private final String keyText;
    private final byte[] key;
    /** What the statement sets, by column; null values are those that it sets to null. */
    private final Map<String, Object> values;

    private LimitedPartitionRow(TableMetadata table, String keyText, byte[] key, Map<String, Object> values) {
        this.table = table;
        this.keyText = keyText;
        this.key = key;
        this.values = values;
    }

    /** @throws InvalidRequestException naming the column, its value and what is allowed */
    static LimitedPartitionRow of(String keyspace, Row row) {
        ByteBuffer[] clustering = row.clustering().getBufferArray();
        Map<String, Object> values = new HashMap<>();
        for (Cell<?> cell : row.cells()) {
            values.put(
                    cell.column().name.toString(),
                    cell.isTombstone() ? null : cell.column().type.compose(cell.buffer()));
        }
        return of(keyspace, UTF8Type.instance.compose(clustering[0]), UTF8Type.instance.compose(clustering[1]), values);
    }

    /** As {@link #of(String, Row)}; the values are by column, null for those that are set to null. */
    static LimitedPartitionRow of(String keyspace, String name, String keyText, Map<String, Object> values) {
        if (Schema.instance.getKeyspaceMetadata(keyspace) == null
                || SchemaConstants.isSystemKeyspace(keyspace)
                || VirtualKeyspaceRegistry.instance.getKeyspaceNullable(keyspace) != null) {
            throw refused(LimitedPartitionsTable.KEYSPACE, keyspace, "a keyspace that clients have created");
        }
        TableMetadata table = Schema.instance.getTableMetadata(keyspace, name);
        if (table == null || table.isView() || table.isIndex()) {
            throw refused(LimitedPartitionsTable.TABLE, name, "a table of the keyspace " + keyspace);
        }
        return of(table, keyText, values);
    }

    static LimitedPartitionRow of(TableMetadata table, String keyText, Map<String, Object> values) {
        byte[] key;
        try {
            key = ByteBufferUtil.getArray(PartitionKeyText.parse(table, keyText));
        } catch (IllegalArgumentException e) {
            throw refused(
                    LimitedPartitionsTable.KEY,
                    keyText,
                    "a partition key of " + table + " as text, of the type "
                            + table.partitionKeyType.asCQL3Type().toString().replace("'", "")
                            + ", the components of several columns joined with colons");
        }
        if (key.length > KeyLimit.MOST_KEY_BYTES) {
            throw refused(
                    LimitedPartitionsTable.KEY,
                    "one of " + key.length + " bytes",
                    "at most " + KeyLimit.MOST_KEY_BYTES + " bytes");
        }
        return new LimitedPartitionRow(table, keyText, key, values);
    }

    /**
     * Takes the partition's limits away.
     *
     * @throws InvalidRequestException when limits take all the room for words
     */
    KeyLimits removed(KeyLimits known, long nowMillis) {
        refuseWithoutRoom(known, nowMillis);
        return known.removed(idMsb(), idLsb(), key, nowMillis);
    }

    /**
     * Limits the partition; what the statement does not say stays as it is.
     *
     * @param counted the words that count as limited partitions
     * @throws InvalidRequestException naming the column, its value and what is allowed
     */
    KeyLimits limited(KeyLimits known, Predicate<KeyLimit> counted, long nowMillis) {
        KeyLimit before = known.of(idMsb(), idLsb(), key);
        boolean isNew = before == null || !before.holds(nowMillis);
        for (String column : values.keySet()) {
            if (column.equals(LimitedPartitionsTable.SET_AT) || column.equals(LimitedPartitionsTable.TOKEN)) {
                throw refused(
                        column,
                        values.get(column),
                        "to set " + LimitedPartitionsTable.READS + ", " + LimitedPartitionsTable.WRITES + " and "
                                + LimitedPartitionsTable.UNTIL);
            }
        }
        int reads = limit(LimitedPartitionsTable.READS, isNew ? KeyLimit.NONE : before.of(Operation.READ));
        int writes = limit(LimitedPartitionsTable.WRITES, isNew ? KeyLimit.NONE : before.of(Operation.WRITE));
        if (reads == KeyLimit.NONE && writes == KeyLimit.NONE) {
            throw refused(
                    LimitedPartitionsTable.READS, null, LIMITS + ", unless there is " + LimitedPartitionsTable.WRITES);
        }
        long until = until(isNew ? null : new Date(before.untilMillis()), nowMillis);
        if (isNew && known.holding(nowMillis, counted) >= KeyLimits.MOST_KEYS) {
            throw refused(
                    LimitedPartitionsTable.KEY, keyText, "at most " + KeyLimits.MOST_KEYS + " limited partitions");
        }
        refuseWithoutRoom(known, nowMillis);
        return known.limited(idMsb(), idLsb(), key, reads, writes, until, nowMillis);
    }

    private void refuseWithoutRoom(KeyLimits known, long nowMillis) {
        if (!known.hasRoomFor(idMsb(), idLsb(), key, nowMillis)) {
            throw refused(
                    LimitedPartitionsTable.KEY,
                    keyText,
                    "at most " + KeyLimits.MOST_WORDS + " partitions with limits, those of dropped tables included");
        }
    }

    private int limit(String column, int before) {
        if (!values.containsKey(column)) {
            return before;
        }
        Integer value = (Integer) values.get(column);
        if (value != null && value < 1) {
            throw refused(column, value, LIMITS);
        }
        return value == null ? KeyLimit.NONE : value;
    }

    private long until(Date before, long nowMillis) {
        Date until = values.containsKey(LimitedPartitionsTable.UNTIL)
                ? (Date) values.get(LimitedPartitionsTable.UNTIL)
                : before;
        if (until == null || until.getTime() <= nowMillis || until.getTime() - KeyLimit.MOST_MILLIS > nowMillis) {
            throw refused(
                    LimitedPartitionsTable.UNTIL,
                    until == null ? null : until.toInstant(),
                    "an instant after now, at most " + TimeUnit.MILLISECONDS.toDays(KeyLimit.MOST_MILLIS)
                            + " days ahead");
        }
        return until.getTime();
    }

    private long idMsb() {
        return id().getMostSignificantBits();
    }

    private long idLsb() {
        return id().getLeastSignificantBits();
    }

    private UUID id() {
        return table.id.asUUID();
    }

    /** The partition's token, for the log: the key may be a name or an address. */
    Token token() {
        return table.partitioner.getToken(ByteBuffer.wrap(key));
    }

    private static InvalidRequestException refused(String column, Object value, String allowed) {
        return new InvalidRequestException(column + ": " + value + " is refused; allowed: " + allowed);
    }

    /** The table's name. */
    @Override
    public String toString() {
        return table.toString();
    }
}
