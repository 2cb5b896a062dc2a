// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.cassandra.runtime.Failures;
import dev.isotherm.cassandra.schema.TableLimits;
import dev.isotherm.limit.KeyLimit;
import dev.isotherm.limit.KeyLimits;
import dev.isotherm.limit.Operation;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The limits of single partitions beside those of their tables: the stricter one holds. */
class KeyLimitsInForceTest {
    private static final long NOW = System.currentTimeMillis();

    private final Map<TableId, TableMetadata> schema = new HashMap<>();
    private final LimitsInForce limits = new LimitsInForce(new Failures(), schema::get);

    @BeforeAll
    static void initialise() {
        DatabaseDescriptor.clientInitialization();
    }

    private TableMetadata table(String name) {
        TableMetadata table = TableMetadata.builder("ks", name)
                .partitioner(Murmur3Partitioner.instance)
                .addPartitionKeyColumn("k", Int32Type.instance)
                .build();
        schema.put(table.id, table);
        return table;
    }

    private void follow(TableMetadata table, Map<String, String> option) {
        Map<String, ByteBuffer> extensions = option.isEmpty()
                ? Map.of()
                : Map.of(TableLimits.EXTENSION, TableLimits.parse(option).encode());
        TableMetadata after =
                table.withSwapped(table.params.unbuild().extensions(extensions).build());
        schema.put(table.id, after);
        limits.listener().onAlterTable(table, after, false);
    }

    private static KeyLimits limited(KeyLimits known, TableMetadata table, int key, int reads, int writes) {
        return known.limited(
                table.id.asUUID().getMostSignificantBits(),
                table.id.asUUID().getLeastSignificantBits(),
                ByteBufferUtil.getArray(Int32Type.instance.decompose(key)),
                reads,
                writes,
                NOW + 1000,
                NOW);
    }

    private TouchedPartition touched(TableMetadata table, Operation operation, int key) {
        return new TouchedPartition(limits.get(table), operation, Int32Type.instance.decompose(key));
    }

    private void assertLimit(int limit, boolean byKey, TouchedPartition partition) {
        assertEquals(limit, partition.limit());
        assertEquals(byKey, partition.isByKey());
        assertEquals(limit != TableLimits.NONE, partition.isLimited());
    }

    @Test
    void aTableWithoutLimitsHasThoseOfItsPartitionsAlone() {
        TableMetadata table = table("t");
        TableMetadata other = table("other");
        limits.limitKeys(limited(KeyLimits.EMPTY, table, 1, 50, KeyLimit.NONE).words());
        assertFalse(limits.isEmpty());
        assertNull(limits.get(other));
        assertTrue(limits.get(table).limits(Operation.READ));
        assertFalse(limits.get(table).limits(Operation.WRITE));
        assertLimit(50, true, touched(table, Operation.READ, 1));
        assertLimit(TableLimits.NONE, false, touched(table, Operation.WRITE, 1));
        assertLimit(TableLimits.NONE, false, touched(table, Operation.READ, 2));
        assertEquals(
                "Per-partition rate limit exceeded: this partition of ks.t admits at most 50 reads per second"
                        + " (isotherm.limited_partitions)",
                touched(table, Operation.READ, 1).rejection().getMessage());

        limits.get(table).counts.rejectedReads.increment();
        limits.limitKeys(List.of());
        assertTrue(limits.isEmpty());
        assertEquals(1, limits.sum(c -> c.rejectedReads), "what is counted never becomes less");
    }

    @Test
    void theStricterOfBothHolds() {
        TableMetadata table = table("t");
        follow(table, Map.of("max_reads_per_second", "100", "max_writes_per_second", "0"));
        KeyLimits keys = limited(KeyLimits.EMPTY, table, 1, 99, 1);
        limits.limitKeys(limited(limited(keys, table, 2, 100, 5), table, 3, 101, KeyLimit.NONE)
                .words());
        assertLimit(99, true, touched(table, Operation.READ, 1));
        assertLimit(100, false, touched(table, Operation.READ, 2));
        assertLimit(100, false, touched(table, Operation.READ, 3));
        assertLimit(100, false, touched(table, Operation.READ, 4));
        for (int key = 1; key <= 4; key++) {
            assertLimit(0, false, touched(table, Operation.WRITE, key));
        }
        assertEquals(
                "Per-partition rate limit exceeded: ks.t admits at most 100 reads per second to a partition"
                        + " (per_partition_rate_limit)",
                touched(table, Operation.READ, 2).rejection().getMessage());
    }

    @Test
    void aChangeOfTheOneLeavesTheOther() {
        TableMetadata table = table("t");
        limits.limitKeys(limited(KeyLimits.EMPTY, table, 1, 50, 60).words());
        LimitCounts counts = limits.get(table).counts;
        follow(table, Map.of("max_reads_per_second", "10", "dry_run", "true"));
        assertLimit(10, false, touched(table, Operation.READ, 1));
        assertLimit(60, true, touched(table, Operation.WRITE, 1));
        assertTrue(touched(table, Operation.WRITE, 1).table.dryRun, "the table's dry run is its partitions' too");
        follow(table, Map.of());
        assertLimit(50, true, touched(table, Operation.READ, 1));
        assertEquals(counts, limits.get(table).counts);
        limits.listener().onDropTable(table, true);
        assertTrue(limits.isEmpty());
    }

    /** No node can set such a limit, and any may tell one. */
    @Test
    void cassandrasOwnTablesAreNotLimited() {
        TableMetadata local = TableMetadata.builder("system", "local")
                .partitioner(Murmur3Partitioner.instance)
                .addPartitionKeyColumn("k", Int32Type.instance)
                .build();
        schema.put(local.id, local);
        limits.limitKeys(limited(KeyLimits.EMPTY, local, 1, 50, 60).words());
        assertTrue(limits.isEmpty());
    }

    @Test
    void aTableThatIsNotThereYetIsLimitedWhenItComes() {
        TableMetadata table = table("t");
        schema.remove(table.id);
        limits.limitKeys(limited(KeyLimits.EMPTY, table, 1, 50, 60).words());
        assertTrue(limits.isEmpty());
        limits.listener().onCreateTable(table);
        assertLimit(50, true, touched(table, Operation.READ, 1));
    }
}
