// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import dev.isotherm.limit.HotPartitions;
import java.nio.ByteBuffer;
import org.apache.cassandra.db.marshal.DoubleType;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.virtual.AbstractVirtualTable;
import org.apache.cassandra.db.virtual.SimpleDataSet;
import org.apache.cassandra.dht.LocalPartitioner;
import org.apache.cassandra.schema.TableMetadata;

/**
 * The virtual table {@code isotherm.hottest_partitions}: the partitions of limited tables with the most operations that
 * this node coordinates at present. A role sees the partitions of the tables that it may read.
 */
final class HottestPartitionsTable extends AbstractVirtualTable {
    private static final int MOST_ROWS = 100;

    private final HotPartitions<LimitedTable, ByteBuffer> hottest;

    HottestPartitionsTable(String keyspace, HotPartitions<LimitedTable, ByteBuffer> hottest) {
        super(TableMetadata.builder(keyspace, "hottest_partitions")
                .comment(
                        "The hottest partitions of limited tables now, as far as this node coordinates their operations")
                .kind(TableMetadata.Kind.VIRTUAL)
                .partitioner(new LocalPartitioner(UTF8Type.instance))
                .addPartitionKeyColumn("keyspace_name", UTF8Type.instance)
                .addClusteringColumn("table_name", UTF8Type.instance)
                .addClusteringColumn("partition_key", UTF8Type.instance)
                .addRegularColumn("token", UTF8Type.instance)
                .addRegularColumn("reads_per_second", DoubleType.instance)
                .addRegularColumn("writes_per_second", DoubleType.instance)
                .addRegularColumn("rejected_per_second", DoubleType.instance)
                .build());
        this.hottest = hottest;
    }

    @Override
    public DataSet data() {
        SimpleDataSet rows = new SimpleDataSet(metadata());
        int[] count = {0};
        MayRead mayRead = new MayRead();
        hottest.forEach((limited, key, readsPerSecond, writesPerSecond, rejectedPerSecond) -> {
            TableMetadata table = limited.metadata;
            if (count[0] < MOST_ROWS && mayRead.table(table)) {
                count[0]++;
                rows.row(table.keyspace, table.name, PartitionKeyText.of(table, key))
                        .column("token", table.partitioner.getToken(key).toString())
                        .column("reads_per_second", readsPerSecond)
                        .column("writes_per_second", writesPerSecond)
                        .column("rejected_per_second", rejectedPerSecond);
            }
        });
        return rows;
    }
}
