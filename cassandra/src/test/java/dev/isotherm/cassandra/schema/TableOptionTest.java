// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.schema;

import static dev.isotherm.cassandra.schema.InMemorySchema.CREATE;
import static dev.isotherm.cassandra.schema.InMemorySchema.READS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Map;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.exceptions.AlreadyExistsException;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.schema.Keyspaces;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TableOptionTest {
    private final InMemorySchema schema = new InMemorySchema();

    @BeforeAll
    static void initialise() {
        DatabaseDescriptor.clientInitialization();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ALTER TABLE ks.t WITH per_partition_rate_limit = {'max_writes_per_second': 100, 'max_reads_per_second': 200}",
                "ALTER TABLE t WITH per_partition_rate_limit={'max_writes_per_second':'100','max_reads_per_second':'200'};",
                "aLtEr TaBlE KS.T wItH PER_Partition_RATE_limit\n=\t{ 'max_writes_per_second' : 100 ,\r\n'max_reads_per_second':200 }",
                "ALTER TABLE \"ks\".\"t\" WITH \"per_partition_rate_limit\" = {'max_writes_per_second': 100, 'max_reads_per_second': 200}",
                "/* limit */ ALTER/**/TABLE ks.t -- here\n WITH // and there\n per_partition_rate_limit/*=*/= {'max_writes_per_second'"
                        + ": /* per partition */ 100, 'max_reads_per_second': 200}",
                "ALTER TABLE IF EXISTS ks.t WITH per_partition_rate_limit = {'max_writes_per_second': 100, 'max_reads_per_second': 200}",
            })
    void howeverItIsWritten(String query) {
        schema.run(CREATE);
        schema.run(query);
        assertEquals("{'max_reads_per_second': '200', 'max_writes_per_second': '100'}", schema.limits());
    }

    @Test
    void inCreateTableBesideOtherOptions() {
        schema.run(
                "CREATE TABLE ks.t (k int, c int, v int, PRIMARY KEY (k, c)) WITH CLUSTERING ORDER BY (c DESC) AND comment = 'x'"
                        + " AND " + READS
                        + " AND caching = {'keys': 'ALL', 'rows_per_partition': 'ALL'} AND gc_grace_seconds = 77");
        assertEquals("{'max_reads_per_second': '200'}", schema.limits());
        assertEquals("x", schema.table().params.comment);
        assertEquals(77, schema.table().params.gcGraceSeconds);
        assertTrue(schema.table().params.caching.cacheRows());
    }

    @Test
    void besideOtherOptionsInAlterTable() {
        schema.run(CREATE);
        schema.run("ALTER TABLE ks.t WITH comment = 'y' AND " + READS + " AND gc_grace_seconds = 78");
        assertEquals("{'max_reads_per_second': '200'}", schema.limits());
        assertEquals("y", schema.table().params.comment);
        assertEquals(78, schema.table().params.gcGraceSeconds);
    }

    @Test
    void otherChangesKeepIt() {
        schema.run(CREATE + " WITH " + READS);
        schema.run("ALTER TABLE ks.t WITH comment = 'about per_partition_rate_limit'");
        schema.run("ALTER TABLE ks.t ADD w int");
        schema.run("ALTER TABLE ks.t WITH extensions = {}");
        assertEquals("{'max_reads_per_second': '200'}", schema.limits());
        assertEquals("about per_partition_rate_limit", schema.table().params.comment);
    }

    @Test
    void itIsReplacedAsAWhole() {
        schema.run(CREATE + " WITH " + READS);
        schema.run("ALTER TABLE ks.t WITH per_partition_rate_limit = {'max_writes_per_second': 1, 'dry_run': 'true'}");
        assertEquals("{'dry_run': 'true', 'max_writes_per_second': '1'}", schema.limits());
    }

    @Test
    void theEmptyMapRemovesIt() {
        schema.run(CREATE + " WITH " + READS);
        schema.run("ALTER TABLE ks.t WITH per_partition_rate_limit = {}");
        assertNull(schema.limits());
        assertTrue(schema.table().params.extensions.isEmpty());
        schema.run("ALTER TABLE ks.t WITH per_partition_rate_limit = { }");
        assertNull(schema.limits());
    }

    @Test
    void whatIsAnothersAmongTheExtensionsStays() {
        schema.run(CREATE);
        schema.replace(schema.table()
                .withSwapped(schema.table()
                        .params
                        .unbuild()
                        .extensions(Map.of("other", ByteBuffer.wrap(new byte[] {1})))
                        .build()));
        schema.run("ALTER TABLE ks.t WITH " + READS);
        schema.run("ALTER TABLE ks.t WITH per_partition_rate_limit = {}");
        assertEquals(Map.of("other", ByteBuffer.wrap(new byte[] {1})), schema.table().params.extensions);
    }

    @Test
    void whatDescribePrintsRestoresIt() {
        schema.run(CREATE + " WITH " + READS);
        String described = schema.table().toCqlString(false, true, false);
        assertTrue(described.contains("extensions = {'isotherm.per_partition_rate_limit': 0x"), described);
        TableMetadata before = schema.table();
        schema.clear();
        schema.run(described);
        assertEquals(before.params, schema.table().params);
        assertEquals("{'max_reads_per_second': '200'}", schema.limits());
    }

    @Test
    void anExtensionIsReplayedByAlterTableToo() {
        schema.run(CREATE + " WITH " + READS);
        String blob = "0x"
                + ByteBufferUtil.bytesToHex(schema.table().params.extensions.get(TableLimits.EXTENSION));
        schema.run("ALTER TABLE ks.t WITH per_partition_rate_limit = {}");
        schema.run("ALTER TABLE ks.t WITH extensions = {'other': 0x01, 'isotherm.per_partition_rate_limit': " + blob
                + "}");
        assertEquals("{'max_reads_per_second': '200'}", schema.limits());
        schema.run("ALTER TABLE ks.t WITH per_partition_rate_limit = {}");
        schema.run("ALTER TABLE ks.t WITH extensions = {'isotherm.per_partition_rate_limit': '" + blob + "'}");
        assertEquals("{'max_reads_per_second': '200'}", schema.limits());
    }

    @Test
    void whatExistsOrDoesNotStaysAsItIs() {
        schema.run("ALTER TABLE IF EXISTS ks.t WITH " + READS);
        assertNull(schema.table());
        schema.run(CREATE);
        Keyspaces before = schema.now();
        schema.run("CREATE TABLE IF NOT EXISTS ks.t (k int PRIMARY KEY) WITH " + READS);
        assertSame(before, schema.now());
        schema.refusal(AlreadyExistsException.class, CREATE + " WITH " + READS);
        assertEquals(
                "Table 'ks.missing' doesn't exist",
                schema.refusal(InvalidRequestException.class, "ALTER TABLE ks.missing WITH " + READS));
        schema.run("CREATE TABLE IF NOT EXISTS ks.new (k int PRIMARY KEY) WITH " + READS);
        assertTrue(schema.tables().getNullable("new").params.extensions.containsKey(TableLimits.EXTENSION));
    }
}
