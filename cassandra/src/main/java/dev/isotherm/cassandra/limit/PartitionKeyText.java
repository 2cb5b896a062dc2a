// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import java.nio.ByteBuffer;
import java.util.List;
import org.apache.cassandra.db.marshal.ByteBufferAccessor;
import org.apache.cassandra.db.marshal.CompositeType;
import org.apache.cassandra.schema.ColumnMetadata;
import org.apache.cassandra.schema.TableMetadata;

/**
 * Partition keys as text, in the form of {@code isotherm.hottest_partitions} and {@code nodetool getendpoints}: the
 * components joined with colons, a colon inside of one as {@code \:}.
 */
final class PartitionKeyText {
    private PartitionKeyText() {}

    /** Whether the bytes are a partition key of the table: another node may say anything. */
    static boolean isOne(TableMetadata table, ByteBuffer key) {
        try {
            table.partitionKeyType.validate(key);
            return true;
        } catch (RuntimeException e) {
            // A type of one's own may throw any.
            return false;
        }
    }

    static String of(TableMetadata table, ByteBuffer key) {
        return table.partitionKeyType.getString(key);
    }

    /** @throws IllegalArgumentException when the text is no partition key of the table */
    static ByteBuffer parse(TableMetadata table, String text) {
        ByteBuffer key;
        try {
            key = table.partitionKeyType.fromString(text);
            table.partitionKeyType.validate(key);
        } catch (RuntimeException e) {
            // Cassandra's types throw exceptions of many kinds.
            throw new IllegalArgumentException(e);
        }
        if (!key.hasRemaining() || table.partitionKeyType instanceof CompositeType && !isWhole(table, key)) {
            throw new IllegalArgumentException();
        }
        return key;
    }

    /** Whether the bytes are what a statement that names all columns of the key would have made. */
    private static boolean isWhole(TableMetadata table, ByteBuffer key) {
        ByteBuffer[] components = ((CompositeType) table.partitionKeyType).split(key);
        List<ColumnMetadata> columns = table.partitionKeyColumns();
        for (int i = 0; i < components.length; i++) {
            if (!components[i].hasRemaining() && columns.get(i).type.isEmptyValueMeaningless()) {
                return false;
            }
        }
        return components.length == columns.size()
                && CompositeType.build(ByteBufferAccessor.instance, components).equals(key);
    }
}
