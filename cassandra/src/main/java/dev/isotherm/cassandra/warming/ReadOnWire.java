// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.warming;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import org.apache.cassandra.db.ReadCommand;
import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.apache.cassandra.io.util.DataInputBuffer;
import org.apache.cassandra.io.util.DataOutputBuffer;
import org.apache.cassandra.net.MessagingService;

/**
 * A read of one partition as the value of a message: one byte version (1), Cassandra's messaging version in four bytes,
 * the CRC-32 of what follows in four bytes, both big-endian, and the read as Cassandra serializes it in that version.
 */
/*
 * Cassandra takes the lengths in a serialized read at their word: nonsense would have it allocate gigabytes. What has
 * the checksum was serialized as a whole by Cassandra.
 */
final class ReadOnWire {
    /** A longer read is not copied: it asks for many columns or clusterings by name. */
    static final int MOST_BYTES = 4096;

    private static final byte VERSION = 1;
    private static final int HEADER_BYTES = 9;

    private ReadOnWire() {}

    /** The read's wire form, or null if it is too long to be copied. */
    static byte[] encode(SinglePartitionReadCommand read) throws IOException {
        int version = MessagingService.current_version;
        long size = ReadCommand.serializer.serializedSize(read, version);
        if (size > MOST_BYTES - HEADER_BYTES) {
            return null;
        }
        try (DataOutputBuffer out = new DataOutputBuffer((int) size)) {
            ReadCommand.serializer.serialize(read, out, version);
            byte[] serialized = out.toByteArray();
            return ByteBuffer.allocate(HEADER_BYTES + serialized.length)
                    .put(VERSION)
                    .putInt(version)
                    .putInt(checksum(serialized, 0))
                    .put(serialized)
                    .array();
        }
    }

    /**
     * The read that the bytes stand for.
     *
     * @throws IOException when they stand for none that this node can serve: nonsense, another version, an unknown
     *     table
     */
    static SinglePartitionReadCommand decode(byte[] bytes) throws IOException {
        if (bytes.length < HEADER_BYTES || bytes.length > MOST_BYTES || bytes[0] != VERSION) {
            throw new IOException(bytes.length + " bytes are no copy of a read");
        }
        ByteBuffer header = ByteBuffer.wrap(bytes, 1, HEADER_BYTES - 1);
        int version = header.getInt();
        if (version != MessagingService.current_version) {
            throw new IOException(
                    "a copy of messaging version " + version + " and not " + MessagingService.current_version);
        }
        if (header.getInt() != checksum(bytes, HEADER_BYTES)) {
            throw new IOException("a copy of a read with a wrong checksum");
        }
        try (DataInputBuffer in =
                new DataInputBuffer(ByteBuffer.wrap(bytes, HEADER_BYTES, bytes.length - HEADER_BYTES), false)) {
            ReadCommand read = ReadCommand.serializer.deserialize(in, version);
            if (!(read instanceof SinglePartitionReadCommand)) {
                throw new IOException("a copy that is no read of one partition");
            }
            return (SinglePartitionReadCommand) read;
        }
    }

    private static int checksum(byte[] bytes, int from) {
        CRC32 crc = new CRC32();
        crc.update(bytes, from, bytes.length - from);
        return (int) crc.getValue();
    }
}
