// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import dev.isotherm.cassandra.schema.TableLimits;
import dev.isotherm.limit.Operation;
import java.util.HashMap;
import java.util.Map;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.schema.TableMetadata;

/** Tables with limits, and partitions of them, for tests. */
public final class LimitedTables {
    static {
        DatabaseDescriptor.clientInitialization();
    }

    private LimitedTables() {}

    /** A table with limits; {@link TableLimits#NONE} leaves one out. */
    public static LimitedTable table(String name, int maxReads, int maxWrites, boolean dryRun) {
        Map<String, String> option = new HashMap<>();
        if (maxReads != TableLimits.NONE) {
            option.put("max_reads_per_second", Integer.toString(maxReads));
        }
        if (maxWrites != TableLimits.NONE) {
            option.put("max_writes_per_second", Integer.toString(maxWrites));
        }
        if (dryRun) {
            option.put("dry_run", "true");
        }
        TableMetadata metadata = TableMetadata.builder("ks", name)
                .partitioner(Murmur3Partitioner.instance)
                .addPartitionKeyColumn("k", Int32Type.instance)
                .build();
        return new LimitedTable(metadata, TableLimits.parse(option), new LimitCounts(), Map.of());
    }

    /** The partition with this key. */
    public static TouchedPartition partition(LimitedTable table, Operation operation, int key) {
        return new TouchedPartition(table, operation, Int32Type.instance.decompose(key));
    }
}
