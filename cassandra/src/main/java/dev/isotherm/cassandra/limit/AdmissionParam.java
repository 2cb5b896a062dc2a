// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import dev.isotherm.cassandra.runtime.UnreadableValues;
import dev.isotherm.limit.Operation;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.schema.TableId;

/**
 * The parameter with which a coordinator that is no replica asks a replica to decide.
 *
 * <p>Wire form, big-endian: version (1 byte), request (8), random number (4), the fraction of an operation that each
 * counts as (4, a float), number of partitions (2), and for each the table's id (16), the operation (1), the length of
 * the token (2) and the token. The parameter does not carry the limits: the replica knows them.
 */
final class AdmissionParam {
    private static final byte VERSION = 1;
    /** The bytes of a parameter that is about no partition. */
    static final int HEADER_BYTES = 1 + 8 + 4 + 4 + 2;
    /**
     * The most bytes of a parameter. Cassandra reads all parameters of a message above 64 KiB from its first 32 KiB,
     * and ends the connection, with all that is under way on it, if they reach further.
     */
    static final int MOST_BYTES = 24 * 1024;

    private static final int PARTITION_BYTES = 16 + 1 + 2;

    final long request;
    final int random;
    final double operations;
    /** The partitions that have a limit on this node. */
    final List<TouchedPartition> partitions;

    private AdmissionParam(long request, int random, double operations, List<TouchedPartition> partitions) {
        this.request = request;
        this.random = random;
        this.operations = operations;
        this.partitions = partitions;
    }

    /**
     * Reads a parameter.
     *
     * @param node who has sent it
     * @param limits the limited table with an id, null if it has no limit on this node
     * @param consequence the effect of one that is malformed, a constant sentence
     * @return null when it is malformed, which is counted
     */
    static AdmissionParam read(
            InetAddressAndPort node,
            byte[] bytes,
            Function<TableId, LimitedTable> limits,
            UnreadableValues unreadable,
            String consequence) {
        try {
            return decode(bytes, limits);
        } catch (IllegalArgumentException e) {
            unreadable.ignore(consequence, node, e);
            return null;
        }
    }

    /** The bytes of a parameter that the partition takes. */
    static int bytesOf(TouchedPartition partition) {
        return PARTITION_BYTES + tokenOf(partition).remaining();
    }

    private static ByteBuffer tokenOf(TouchedPartition partition) {
        return partition.token.getPartitioner().getTokenFactory().toByteArray(partition.token);
    }

    /** @param partitions at most 65,535 */
    static byte[] encode(long request, int random, double operations, List<TouchedPartition> partitions) {
        List<ByteBuffer> tokens = new ArrayList<>(partitions.size());
        int bytes = HEADER_BYTES;
        for (TouchedPartition partition : partitions) {
            ByteBuffer token = tokenOf(partition);
            tokens.add(token);
            bytes += PARTITION_BYTES + token.remaining();
        }
        ByteBuffer out = ByteBuffer.allocate(bytes);
        out.put(VERSION)
                .putLong(request)
                .putInt(random)
                .putFloat((float) operations)
                .putShort((short) partitions.size());
        for (int i = 0; i < partitions.size(); i++) {
            TouchedPartition partition = partitions.get(i);
            out.putLong(partition.table.idMsb).putLong(partition.table.idLsb);
            out.put((byte) partition.operation.ordinal());
            out.putShort((short) tokens.get(i).remaining()).put(tokens.get(i));
        }
        return out.array();
    }

    /**
     * @param limits the limited table with an id, null if it has no limit on this node
     * @throws IllegalArgumentException when the bytes are not a valid parameter
     */
    static AdmissionParam decode(byte[] bytes, Function<TableId, LimitedTable> limits) {
        try {
            ByteBuffer in = ByteBuffer.wrap(bytes);
            if (in.get() != VERSION) {
                throw new IllegalArgumentException("the version is " + bytes[0] + ", not " + VERSION);
            }
            long request = in.getLong();
            int random = in.getInt();
            double operations = in.getFloat();
            if (!(operations > 0 && operations <= 1)) {
                throw new IllegalArgumentException("a partition counts for " + operations + " operations");
            }
            int count = Short.toUnsignedInt(in.getShort());
            // What is allocated follows from the bytes that are there, not from what they say.
            requireRemaining(in, count * PARTITION_BYTES);
            List<TouchedPartition> partitions = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                LimitedTable table = limits.apply(TableId.fromUUID(new UUID(in.getLong(), in.getLong())));
                Operation operation = operation(in.get());
                int length = Short.toUnsignedInt(in.getShort());
                requireRemaining(in, length);
                byte[] token = new byte[length];
                in.get(token);
                if (table != null && table.limits(operation)) {
                    TouchedPartition partition = new TouchedPartition(table, operation, token(table, token));
                    if (partition.isLimited()) {
                        partitions.add(partition);
                    }
                }
            }
            if (in.hasRemaining()) {
                throw new IllegalArgumentException(in.remaining() + " bytes too many");
            }
            return new AdmissionParam(request, random, operations, partitions);
        } catch (BufferUnderflowException e) {
            throw new IllegalArgumentException(bytes.length + " bytes are too few", e);
        }
    }

    private static void requireRemaining(ByteBuffer in, int bytes) {
        if (in.remaining() < bytes) {
            throw new BufferUnderflowException();
        }
    }

    private static Operation operation(byte code) {
        if (code < 0 || code >= Operation.values().length) {
            throw new IllegalArgumentException("there is no operation " + code);
        }
        return Operation.values()[code];
    }

    private static Token token(LimitedTable table, byte[] bytes) {
        try {
            return table.metadata.partitioner.getTokenFactory().fromByteArray(ByteBuffer.wrap(bytes));
        } catch (RuntimeException e) {
            throw new IllegalArgumentException("no token: " + e, e);
        }
    }
}
