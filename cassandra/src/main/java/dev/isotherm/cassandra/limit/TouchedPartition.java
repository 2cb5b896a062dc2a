// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import dev.isotherm.cassandra.schema.TableLimits;
import dev.isotherm.limit.Operation;
import dev.isotherm.limit.PartitionId;
import java.nio.ByteBuffer;
import java.util.UUID;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.MurmurHash;

/** A partition of a limited table that a statement reads or writes. Immutable. */
final class TouchedPartition {
    final LimitedTable table;
    final Operation operation;
    /** The serialised partition key; null if only the token is known. */
    final ByteBuffer key;

    final Token token;
    /** The partition's id, the same on every node. */
    final long id;

    private final int limit;
    private final boolean isByKey;

    /** @param key the serialised partition key */
    TouchedPartition(LimitedTable table, Operation operation, ByteBuffer key) {
        this(table, operation, key, table.metadata.partitioner.getToken(key));
    }

    /** A partition whose token another node sent. */
    TouchedPartition(LimitedTable table, Operation operation, Token token) {
        this(table, operation, null, token);
    }

    private TouchedPartition(LimitedTable table, Operation operation, ByteBuffer key, Token token) {
        this.table = table;
        this.operation = operation;
        this.key = key;
        this.token = token;
        this.id = PartitionId.of(table.idMsb, table.idLsb, operation, bits(token));
        int ofEach = table.limitOfEach(operation);
        int ofOne = table.limitOfOne(operation, token);
        this.isByKey = ofOne != TableLimits.NONE && (ofEach == TableLimits.NONE || ofOne < ofEach);
        this.limit = isByKey ? ofOne : ofEach;
    }

    /** The stricter of the table's limit and the partition's own; {@link TableLimits#NONE} if it has neither. */
    int limit() {
        return limit;
    }

    boolean isLimited() {
        return limit != TableLimits.NONE;
    }

    /** Whether the partition's own limit is the stricter one. */
    boolean isByKey() {
        return isByKey;
    }

    /** The exception for a client whose operation would take the partition over its limit. */
    RateLimitRejection rejection() {
        return isByKey
                ? new RateLimitRejection(RateLimitRejection.messageOfKey(table.metadata, operation, limit))
                : table.rejection(operation);
    }

    /** The partition's id with {@link Operation#READ}, common to its reads and writes. */
    long idOfBoth() {
        return operation == Operation.READ ? id : PartitionId.of(table.idMsb, table.idLsb, Operation.READ, bits(token));
    }

    /** The id of the reads of a partition of any table. */
    static long idOfReads(TableMetadata table, Token token) {
        return idOf(table.id, Operation.READ, token);
    }

    /** The id of the writes of a partition of any table. */
    static long idOfWrites(TableMetadata table, Token token) {
        return idOf(table.id, Operation.WRITE, token);
    }

    /** The id of the operations of this kind on a partition of any table. */
    static long idOf(TableId table, Operation operation, Token token) {
        UUID id = table.asUUID();
        return PartitionId.of(id.getMostSignificantBits(), id.getLeastSignificantBits(), operation, bits(token));
    }

    boolean isSameAs(TouchedPartition other) {
        return id == other.id && key.equals(other.key);
    }

    private static long bits(Token token) {
        if (token instanceof Murmur3Partitioner.LongToken) {
            return ((Murmur3Partitioner.LongToken) token).token;
        }
        ByteBuffer bytes = token.getPartitioner().getTokenFactory().toByteArray(token);
        return MurmurHash.hash2_64(bytes, bytes.position(), bytes.remaining(), 0);
    }
}
