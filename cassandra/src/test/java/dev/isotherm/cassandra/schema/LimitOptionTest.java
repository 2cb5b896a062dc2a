// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Map;

import dev.isotherm.cassandra.Failures;
import dev.isotherm.cassandra.limit.TableLimits;
import dev.isotherm.cassandra.version.Cassandra50;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.QueryHandler;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.exceptions.AlreadyExistsException;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.exceptions.RequestValidationException;
import org.apache.cassandra.exceptions.SyntaxException;
import org.apache.cassandra.schema.KeyspaceMetadata;
import org.apache.cassandra.schema.KeyspaceParams;
import org.apache.cassandra.schema.Keyspaces;
import org.apache.cassandra.schema.SchemaTransformation;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Cassandra's own grammar, statements and metadata; only the execution is left out. */
class LimitOptionTest {
    private static final String CREATE = "CREATE TABLE ks.t (k int PRIMARY KEY, v int)";
    private static final String READS = "per_partition_rate_limit = {'max_reads_per_second': 200}";

    private final Failures failures = new Failures();
    private final LimitOption option = new LimitOption(new Cassandra50(), failures);
    private Keyspaces schema = Keyspaces.of(KeyspaceMetadata.create("ks", KeyspaceParams.simple(1)));

    @BeforeAll
    static void initialise() {
        DatabaseDescriptor.clientInitialization();
    }

    private CQLStatement parse(String query) {
        CQLStatement stock = QueryProcessor.getStatement(query, ClientState.forInternalCalls("ks"));
        return option.in(stock, query);
    }

    private void run(String query) {
        CQLStatement statement = parse(query);
        statement.validate(ClientState.forInternalCalls());
        schema = ((SchemaTransformation) statement).apply(schema);
    }

    private TableMetadata table() {
        return schema.getNullable("ks").getTableOrViewNullable("t");
    }

    private String limits() {
        ByteBuffer stored = table().params.extensions.get(TableLimits.EXTENSION);
        return stored == null ? null : TableLimits.decode(stored).option();
    }

    private String refusal(Class<? extends RequestValidationException> kind, String query) {
        Keyspaces before = schema;
        String sentence = assertThrows(kind, () -> run(query)).getMessage();
        assertEquals(before, schema);
        return sentence;
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "ALTER TABLE ks.t WITH per_partition_rate_limit = {'max_writes_per_second': 100, 'max_reads_per_second': 200}",
        "ALTER TABLE t WITH per_partition_rate_limit={'max_writes_per_second':'100','max_reads_per_second':'200'};",
        "aLtEr TaBlE KS.T wItH PER_Partition_RATE_limit\n=\t{ 'max_writes_per_second' : 100 ,\r\n'max_reads_per_second':200 }",
        "ALTER TABLE \"ks\".\"t\" WITH \"per_partition_rate_limit\" = {'max_writes_per_second': 100, 'max_reads_per_second': 200}",
        "/* limit */ ALTER/**/TABLE ks.t -- here\n WITH // and there\n per_partition_rate_limit/*=*/= {'max_writes_per_second'"
            + ": /* per partition */ 100, 'max_reads_per_second': 200}",
        "ALTER TABLE IF EXISTS ks.t WITH per_partition_rate_limit = {'max_writes_per_second': 100, 'max_reads_per_second': 200}",
    })
    void howeverItIsWritten(String query) {
        run(CREATE);
        run(query);
        assertEquals("{'max_reads_per_second': '200', 'max_writes_per_second': '100'}", limits());
    }

    @Test
    void inCreateTableBesideOtherOptions() {
        run("CREATE TABLE ks.t (k int, c int, v int, PRIMARY KEY (k, c)) WITH CLUSTERING ORDER BY (c DESC) AND comment = 'x'"
            + " AND " + READS + " AND caching = {'keys': 'ALL', 'rows_per_partition': 'ALL'} AND gc_grace_seconds = 77");
        assertEquals("{'max_reads_per_second': '200'}", limits());
        assertEquals("x", table().params.comment);
        assertEquals(77, table().params.gcGraceSeconds);
        assertTrue(table().params.caching.cacheRows());
    }

    @Test
    void besideOtherOptionsInAlterTable() {
        run(CREATE);
        run("ALTER TABLE ks.t WITH comment = 'y' AND " + READS + " AND gc_grace_seconds = 78");
        assertEquals("{'max_reads_per_second': '200'}", limits());
        assertEquals("y", table().params.comment);
        assertEquals(78, table().params.gcGraceSeconds);
    }

    @Test
    void otherChangesKeepIt() {
        run(CREATE + " WITH " + READS);
        run("ALTER TABLE ks.t WITH comment = 'about per_partition_rate_limit'");
        run("ALTER TABLE ks.t ADD w int");
        run("ALTER TABLE ks.t RENAME k TO key");
        run("ALTER TABLE ks.t WITH extensions = {}");
        assertEquals("{'max_reads_per_second': '200'}", limits());
        assertEquals("about per_partition_rate_limit", table().params.comment);
    }

    @Test
    void itIsReplacedAsAWhole() {
        run(CREATE + " WITH " + READS);
        run("ALTER TABLE ks.t WITH per_partition_rate_limit = {'max_writes_per_second': 1, 'dry_run': 'true'}");
        assertEquals("{'dry_run': 'true', 'max_writes_per_second': '1'}", limits());
    }

    @Test
    void theEmptyMapRemovesIt() {
        run(CREATE + " WITH " + READS);
        run("ALTER TABLE ks.t WITH per_partition_rate_limit = {}");
        assertNull(limits());
        assertTrue(table().params.extensions.isEmpty());
        run("ALTER TABLE ks.t WITH per_partition_rate_limit = { }");
        assertNull(limits());
    }

    @Test
    void whatIsAnothersAmongTheExtensionsStays() {
        run(CREATE);
        TableMetadata with = table().withSwapped(
            table().params.unbuild().extensions(Map.of("other", ByteBuffer.wrap(new byte[] {1}))).build());
        KeyspaceMetadata keyspace = schema.getNullable("ks");
        schema = schema.withAddedOrUpdated(keyspace.withSwapped(keyspace.tables.withSwapped(with)));
        run("ALTER TABLE ks.t WITH " + READS);
        run("ALTER TABLE ks.t WITH per_partition_rate_limit = {}");
        assertEquals(Map.of("other", ByteBuffer.wrap(new byte[] {1})), table().params.extensions);
    }

    @Test
    void whatDescribePrintsRestoresIt() {
        run(CREATE + " WITH " + READS);
        String described = table().toCqlString(false, true, false);
        assertTrue(described.contains("extensions = {'isotherm.per_partition_rate_limit': 0x"), described);
        TableMetadata before = table();
        schema = Keyspaces.of(KeyspaceMetadata.create("ks", KeyspaceParams.simple(1)));
        run(described);
        assertEquals(before.params, table().params);
        assertEquals("{'max_reads_per_second': '200'}", limits());
    }

    @Test
    void anExtensionIsReplayedByAlterTableToo() {
        run(CREATE + " WITH " + READS);
        String blob = "0x" + ByteBufferUtil.bytesToHex(
            table().params.extensions.get(TableLimits.EXTENSION));
        run("ALTER TABLE ks.t WITH per_partition_rate_limit = {}");
        run("ALTER TABLE ks.t WITH extensions = {'other': 0x01, 'isotherm.per_partition_rate_limit': " + blob + "}");
        assertEquals("{'max_reads_per_second': '200'}", limits());
        run("ALTER TABLE ks.t WITH per_partition_rate_limit = {}");
        run("ALTER TABLE ks.t WITH extensions = {'isotherm.per_partition_rate_limit': '" + blob + "'}");
        assertEquals("{'max_reads_per_second': '200'}", limits());
    }

    @ParameterizedTest
    @ValueSource(strings = {"0x", "0x01", "0x0000000100000001610000000162", "'text'", "7", "'0xzz'"})
    void anExtensionThatIsNotOursIsRefused(String value) {
        run(CREATE);
        String sentence = refusal(ConfigurationException.class,
            "ALTER TABLE ks.t WITH extensions = {'isotherm.per_partition_rate_limit': " + value + "}");
        assertTrue(sentence.startsWith("extension 'isotherm.per_partition_rate_limit': " + value.replace("'", "")
            + " is refused; allowed: what DESCRIBE has printed, or the option per_partition_rate_limit instead"), sentence);
    }

    @Test
    void theOptionAndTheExtensionAtOnceAreRefused() {
        run(CREATE);
        assertEquals("per_partition_rate_limit is refused beside the extension 'isotherm.per_partition_rate_limit', which says"
            + " the same; allowed: one of the two", refusal(ConfigurationException.class,
            "ALTER TABLE ks.t WITH " + READS + " AND extensions = {'isotherm.per_partition_rate_limit': 0x00000000}"));
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '"', value = {
        "{'max_reads_per_second': -5},max_reads_per_second: -5",
        "{'max_reads_per_second': 2147483648},max_reads_per_second: 2147483648",
        "{'max_reads_per_second': 1.5},max_reads_per_second: 1.5",
        "{'max_reads_per_second': 'many'},max_reads_per_second: many",
        "{'max_reads_per_second': true},max_reads_per_second: true",
        "{'max_reads': 1},max_reads: 1",
        "{'dry_run': 'true'},dry_run: true",
    })
    void wrongValuesAreRefusedInCreateAndAlter(String value, String named) {
        String setting = " WITH per_partition_rate_limit = " + value;
        String sentence = "per_partition_rate_limit: " + named + " is refused; allowed: ";
        assertTrue(refusal(ConfigurationException.class, CREATE + setting).startsWith(sentence));
        run(CREATE);
        assertTrue(refusal(ConfigurationException.class, "ALTER TABLE ks.t" + setting).startsWith(sentence));
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '"', delimiter = ';', value = {
        "{'max_reads_per_second': null};max_reads_per_second",
        "{'max_reads_per_second': 1, 'max_reads_per_second': 2};max_reads_per_second",
        "{'max_reads_per_second': ?};max_reads_per_second",
        "{'max_reads_per_second': [1]};max_reads_per_second",
        "'200';per_partition_rate_limit",
        "200;per_partition_rate_limit",
        "{'max_reads_per_second': 1} AND per_partition_rate_limit = {};per_partition_rate_limit",
    })
    void whatTheGrammarRefusesItRefusesByName(String value, String named) {
        run(CREATE);
        String sentence = refusal(SyntaxException.class, "ALTER TABLE ks.t WITH per_partition_rate_limit = " + value);
        assertTrue(sentence.contains(named), sentence);
    }

    @Test
    void whatExistsOrDoesNotStaysAsItIs() {
        run("ALTER TABLE IF EXISTS ks.t WITH " + READS);
        assertNull(table());
        run(CREATE);
        Keyspaces before = schema;
        run("CREATE TABLE IF NOT EXISTS ks.t (k int PRIMARY KEY) WITH " + READS);
        assertSame(before, schema);
        refusal(AlreadyExistsException.class, CREATE + " WITH " + READS);
        assertEquals("Table 'ks.missing' doesn't exist",
            refusal(InvalidRequestException.class, "ALTER TABLE ks.missing WITH " + READS));
        run("CREATE TABLE IF NOT EXISTS ks.new (k int PRIMARY KEY) WITH " + READS);
        assertTrue(schema.getNullable("ks").tables.getNullable("new").params.extensions.containsKey(TableLimits.EXTENSION));
    }

    @Test
    void cassandrasOwnTablesAreNotLimited() {
        assertEquals("per_partition_rate_limit: system_auth.roles is refused; allowed: tables that are not Cassandra's own",
            refusal(ConfigurationException.class, "ALTER TABLE system_auth.roles WITH " + READS));
    }

    @ParameterizedTest
    @ValueSource(strings = {
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
        CQLStatement stock = QueryProcessor.getStatement(query, ClientState.forInternalCalls("ks"));
        assertSame(stock, option.in(stock, query));
        assertEquals(0, failures.count());
    }

    @Test
    void withoutTheOptionNothingIsParsedTwice() {
        CQLStatement stock = QueryProcessor.getStatement(CREATE, ClientState.forInternalCalls("ks"));
        assertSame(stock, option.in(stock, CREATE));
    }

    @Test
    void aTextThatCannotBeParsedAgainLeavesTheStatementAsItIs() {
        CQLStatement stock = QueryProcessor.getStatement(CREATE, ClientState.forInternalCalls("ks"));
        assertSame(stock, option.in(stock, "another language: per_partition_rate_limit"));
        assertEquals(1, failures.count());
    }

    @Test
    void aPreparedStatementIsReplacedWhenItIsLookedUp() {
        String query = "ALTER TABLE t WITH " + READS;
        CQLStatement stock = QueryProcessor.getStatement(query, ClientState.forInternalCalls("ks"));
        QueryHandler.Prepared prepared = new QueryHandler.Prepared(stock, query, false, "ks");
        QueryHandler.Prepared found = option.in(prepared);
        assertNotSame(stock, found.statement);
        assertEquals(query, found.rawCQLStatement);
        assertEquals(prepared.resultMetadataId, found.resultMetadataId);
        run(CREATE);
        for (int execution = 0; execution < 2; execution++) {
            CQLStatement statement = option.in(prepared).statement;
            statement.validate(ClientState.forInternalCalls());
            schema = ((SchemaTransformation) statement).apply(schema);
            assertEquals("{'max_reads_per_second': '200'}", limits());
        }
        assertNull(option.in((QueryHandler.Prepared) null));
    }

    @Test
    void auditAndTextAreCassandras() {
        String query = "ALTER TABLE t WITH " + READS;
        CQLStatement stock = QueryProcessor.getStatement(query, ClientState.forInternalCalls("ks"));
        CQLStatement ours = option.in(stock, query);
        assertEquals(stock.getAuditLogContext().auditLogEntryType, ours.getAuditLogContext().auditLogEntryType);
        assertEquals("ks", ours.getAuditLogContext().keyspace);
        assertEquals("t", ours.getAuditLogContext().scope);
        assertEquals(stock.toString(), ours.toString());
    }
}
