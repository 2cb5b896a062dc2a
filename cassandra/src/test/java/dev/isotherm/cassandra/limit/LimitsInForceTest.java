// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.cassandra.runtime.Failures;
import dev.isotherm.cassandra.schema.TableLimits;
import java.nio.ByteBuffer;
import java.util.Map;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.schema.SchemaChangeListener;
import org.apache.cassandra.schema.TableMetadata;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class LimitsInForceTest {
    private final Failures failures = new Failures();
    private final LimitsInForce limits = new LimitsInForce(failures);
    private final SchemaChangeListener schema = limits.listener();

    @BeforeAll
    static void initialise() {
        DatabaseDescriptor.clientInitialization();
    }

    private static TableMetadata table(String name) {
        return TableMetadata.builder("ks", name)
                .partitioner(Murmur3Partitioner.instance)
                .addPartitionKeyColumn("k", Int32Type.instance)
                .build();
    }

    private static TableMetadata with(TableMetadata table, Map<String, ByteBuffer> extensions) {
        return table.withSwapped(table.params.unbuild().extensions(extensions).build());
    }

    private static TableMetadata limited(TableMetadata table, int maxReads) {
        TableLimits limits = TableLimits.parse(Map.of("max_reads_per_second", Integer.toString(maxReads)));
        return with(table, Map.of("other", ByteBuffer.allocate(3), TableLimits.EXTENSION, limits.encode()));
    }

    @Test
    void aTableWithoutTheExtensionHasNone() {
        TableMetadata plain = table("plain");
        schema.onCreateTable(plain);
        assertTrue(limits.isEmpty());
        assertNull(limits.get(plain));
        assertTrue(limits.all().isEmpty());
        assertNull(limits.get(limited(table("unheard_of"), 1)));
    }

    @Test
    void createAlterAndDropAreFollowed() {
        TableMetadata plain = table("t");
        TableMetadata other = limited(table("other"), 7);
        schema.onCreateTable(limited(plain, 200));
        schema.onCreateTable(other);
        assertEquals(200, limits.get(plain.id).maxReads);
        assertEquals(TableLimits.NONE, limits.get(plain).maxWrites);

        schema.onAlterTable(limited(plain, 200), limited(plain, 300), false);
        assertEquals(300, limits.get(plain.id).maxReads);
        assertEquals(2, limits.all().size());

        schema.onAlterTable(limited(plain, 300), plain, false);
        assertNull(limits.get(plain.id));
        assertEquals(7, limits.get(other).maxReads);

        schema.onDropTable(other, true);
        assertTrue(limits.isEmpty());
        assertEquals(0, failures.count());
    }

    @Test
    void anotherChangeOfTheTableKeepsItsCountsAndShowsItsNewMetadata() {
        TableMetadata before = limited(table("t"), 200);
        schema.onCreateTable(before);
        LimitedTable first = limits.get(before);
        first.counts.rejectedReads.increment();
        TableMetadata after =
                before.withSwapped(before.params.unbuild().comment("changed").build());
        schema.onAlterTable(before, after, false);
        assertSame(after, limits.get(before).metadata);
        assertSame(first.counts, limits.get(before).counts);
    }

    @Test
    void anIdIsThatOfTheTable() {
        TableMetadata table = limited(table("t"), 1);
        schema.onCreateTable(table);
        LimitedTable limited = limits.get(table);
        assertEquals(table.id.asUUID().getMostSignificantBits(), limited.idMsb);
        assertEquals(table.id.asUUID().getLeastSignificantBits(), limited.idLsb);
    }

    @Test
    void nonsenseInTheSchemaIsCountedAndLimitsNothing() {
        TableMetadata table = limited(table("t"), 1);
        schema.onCreateTable(table);
        schema.onAlterTable(
                table, with(table, Map.of(TableLimits.EXTENSION, ByteBuffer.wrap(new byte[] {1, 2, 3}))), false);
        assertTrue(limits.isEmpty());
        assertEquals(1, failures.count());
        schema.onAlterTable(table, limited(table, 2), false);
        assertFalse(limits.isEmpty());
        assertEquals(2, limits.get(table).maxReads);
    }
}
