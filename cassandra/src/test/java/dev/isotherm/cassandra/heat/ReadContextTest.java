// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.isotherm.cassandra.runtime.Failures;
import dev.isotherm.cassandra.runtime.StatementScope;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.schema.TableMetadata;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ReadContextTest {
    @AfterEach
    void end() {
        StatementScope.current().end(new Failures());
    }

    /** Cassandra reads a role's permissions before it has looked at the keys of a statement. */
    @Test
    void keysThatCassandraWillRefuseAreNoFailureOfThePlugin() {
        DatabaseDescriptor.clientInitialization();
        TableMetadata table = TableMetadata.builder("ks", "t")
                .partitioner(Murmur3Partitioner.instance)
                .addPartitionKeyColumn("key", Int32Type.instance)
                .build();
        AtomicInteger asked = new AtomicInteger();
        ReadContext context = ReadContext.current();
        context.begin(table, ConsistencyLevel.ONE, () -> {
            asked.incrementAndGet();
            throw new InvalidRequestException("Invalid null value in condition for column key");
        });
        for (int permission = 0; permission < 3; permission++) {
            assertFalse(context.expects(new Murmur3Partitioner.LongToken(permission)));
        }
        assertEquals(1, asked.get());
        assertNull(context.lastToken());
    }
}
