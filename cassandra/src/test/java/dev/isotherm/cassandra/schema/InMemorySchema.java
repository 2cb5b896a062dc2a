// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.isotherm.cassandra.runtime.Failures;
import dev.isotherm.cassandra.version50.Cassandra50;
import java.nio.ByteBuffer;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.exceptions.RequestValidationException;
import org.apache.cassandra.schema.KeyspaceMetadata;
import org.apache.cassandra.schema.KeyspaceParams;
import org.apache.cassandra.schema.Keyspaces;
import org.apache.cassandra.schema.SchemaTransformation;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.schema.Tables;
import org.apache.cassandra.service.ClientState;

/** Cassandra's own grammar, statements and metadata of one keyspace {@code ks}; only the execution is left out. */
final class InMemorySchema {
    static final String CREATE = "CREATE TABLE ks.t (k int PRIMARY KEY, v int)";
    static final String READS = "per_partition_rate_limit = {'max_reads_per_second': 200}";

    final Failures failures = new Failures();
    final LimitOption option = new LimitOption(new Cassandra50(), failures);
    private Keyspaces keyspaces;

    InMemorySchema() {
        clear();
    }

    void clear() {
        keyspaces = Keyspaces.of(KeyspaceMetadata.create("ks", KeyspaceParams.simple(1)));
    }

    Keyspaces now() {
        return keyspaces;
    }

    Tables tables() {
        return keyspaces.getNullable("ks").tables;
    }

    /** The table {@code t}; null if it does not exist. */
    TableMetadata table() {
        return tables().getNullable("t");
    }

    void replace(TableMetadata table) {
        keyspaces = keyspaces.withAddedOrUpdated(keyspaces.getNullable("ks").withSwapped(tables().withSwapped(table)));
    }

    /** The limits of the table {@code t} as the option's value; null if the table has none. */
    String limits() {
        ByteBuffer stored = table().params.extensions.get(TableLimits.EXTENSION);
        return stored == null ? null : TableLimits.decode(stored).option();
    }

    CQLStatement parseAsCassandra(String query) {
        return QueryProcessor.getStatement(query, ClientState.forInternalCalls("ks"));
    }

    void run(String query) {
        run(option.in(parseAsCassandra(query), query));
    }

    void run(CQLStatement statement) {
        statement.validate(ClientState.forInternalCalls());
        keyspaces = ((SchemaTransformation) statement).apply(keyspaces);
    }

    /** The message with which the query is refused; the refusal must not change the schema. */
    String refusal(Class<? extends RequestValidationException> kind, String query) {
        Keyspaces before = keyspaces;
        String sentence = assertThrows(kind, () -> run(query)).getMessage();
        assertEquals(before, keyspaces);
        return sentence;
    }
}
