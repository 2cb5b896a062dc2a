// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.schema;

import static dev.isotherm.cassandra.schema.InMemorySchema.CREATE;
import static dev.isotherm.cassandra.schema.InMemorySchema.READS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.QueryHandler;
import org.apache.cassandra.service.ClientState;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LimitOptionTest {
    private final InMemorySchema schema = new InMemorySchema();

    @BeforeAll
    static void initialise() {
        DatabaseDescriptor.clientInitialization();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CREATE TABLE ks.per_partition_rate_limit (k int PRIMARY KEY)",
                "ALTER TABLE ks.t WITH comment = 'per_partition_rate_limit'",
                "ALTER TABLE ks.t WITH extensions = {'other': 0x01} /* isotherm.per_partition_rate_limit */",
                "ALTER TABLE ks.t WITH extensions = 'isotherm.per_partition_rate_limit'",
                "ALTER TABLE ks.t ADD per_partition_rate_limit int",
                "CREATE KEYSPACE k2 WITH replication = {'class': 'SimpleStrategy'} AND per_partition_rate_limit = {}",
                "ALTER MATERIALIZED VIEW ks.v WITH per_partition_rate_limit = {}",
                "DROP TABLE ks.per_partition_rate_limit",
            })
    void otherStatementsStayCassandras(String query) {
        CQLStatement stock = schema.parseAsCassandra(query);
        assertSame(stock, schema.option.in(stock, query));
        assertEquals(0, schema.failures.count());
    }

    @Test
    void withoutTheOptionNothingIsParsedTwice() {
        CQLStatement stock = schema.parseAsCassandra(CREATE);
        assertSame(stock, schema.option.in(stock, CREATE));
    }

    @Test
    void aTextThatCannotBeParsedAgainLeavesTheStatementAsItIs() {
        CQLStatement stock = schema.parseAsCassandra(CREATE);
        assertSame(stock, schema.option.in(stock, "another language: per_partition_rate_limit"));
        assertEquals(1, schema.failures.count());
    }

    @Test
    void aPreparedStatementIsReplacedWhenItIsLookedUp() {
        String query = "ALTER TABLE t WITH " + READS;
        CQLStatement stock = schema.parseAsCassandra(query);
        QueryHandler.Prepared prepared = new QueryHandler.Prepared(stock, query, false, "ks");
        QueryHandler.Prepared found = schema.option.in(prepared);
        assertNotSame(stock, found.statement);
        assertEquals(query, found.rawCQLStatement);
        assertEquals(prepared.resultMetadataId, found.resultMetadataId);
        schema.run(CREATE);
        for (int execution = 0; execution < 2; execution++) {
            schema.run(schema.option.in(prepared).statement);
            assertEquals("{'max_reads_per_second': '200'}", schema.limits());
        }
        assertNull(schema.option.in((QueryHandler.Prepared) null));
    }

    /** As a query handler of the operator's may do before it hands the statement on. */
    @Test
    void aStatementThatIsValidatedTwiceSetsItsLimits() {
        schema.run(CREATE);
        String query = "ALTER TABLE t WITH " + READS;
        CQLStatement ours = schema.option.in(schema.parseAsCassandra(query), query);
        ours.validate(ClientState.forInternalCalls());
        schema.run(ours);
        assertEquals("{'max_reads_per_second': '200'}", schema.limits());
    }

    @Test
    void auditAndTextAreCassandras() {
        String query = "ALTER TABLE t WITH " + READS;
        CQLStatement stock = schema.parseAsCassandra(query);
        CQLStatement ours = schema.option.in(stock, query);
        assertEquals(stock.getAuditLogContext().auditLogEntryType, ours.getAuditLogContext().auditLogEntryType);
        assertEquals("ks", ours.getAuditLogContext().keyspace);
        assertEquals("t", ours.getAuditLogContext().scope);
        assertEquals(stock.toString(), ours.toString());
    }
}
