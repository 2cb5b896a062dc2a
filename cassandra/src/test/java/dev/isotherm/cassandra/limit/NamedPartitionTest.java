// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.marshal.BytesType;
import org.apache.cassandra.dht.ByteOrderedPartitioner;
import org.apache.cassandra.dht.IPartitioner;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.schema.TableMetadata;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class NamedPartitionTest {
    @BeforeAll
    static void initialise() {
        DatabaseDescriptor.clientInitialization();
    }

    private static NamedPartition named(IPartitioner partitioner, int keyBytes) {
        TableMetadata table = TableMetadata.builder("ks", "t")
                .partitioner(partitioner)
                .addPartitionKeyColumn("key", BytesType.instance)
                .build();
        return new NamedPartition(table, ByteBuffer.allocate(keyBytes));
    }

    @Test
    void aShortKeyIsKept() {
        assertEquals("0000", named(Murmur3Partitioner.instance, 2).keyText());
        assertEquals("0000", named(ByteOrderedPartitioner.instance, 2).keyText());
        assertEquals("0000", named(ByteOrderedPartitioner.instance, 2).tokenText());
    }

    /** Where the partitioner orders by keys, the token is the key. */
    @Test
    void neitherALongKeyNorATokenAsLongIs() {
        NamedPartition hashed = named(Murmur3Partitioner.instance, 60_000);
        assertEquals("(token " + hashed.tokenText() + ")", hashed.keyText());
        NamedPartition ordered = named(ByteOrderedPartitioner.instance, 60_000);
        assertEquals("(longer than 1024 bytes)", ordered.tokenText());
        assertEquals("(token (longer than 1024 bytes))", ordered.keyText());
    }
}
