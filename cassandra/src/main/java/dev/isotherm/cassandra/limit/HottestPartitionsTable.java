// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import dev.isotherm.cassandra.version.CassandraVersion;
import dev.isotherm.limit.HotPartitions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.cassandra.db.marshal.BooleanType;
import org.apache.cassandra.db.marshal.DoubleType;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.virtual.AbstractVirtualTable;
import org.apache.cassandra.db.virtual.SimpleDataSet;
import org.apache.cassandra.dht.LocalPartitioner;
import org.apache.cassandra.schema.TableMetadata;

/**
 * The virtual table {@code isotherm.hottest_partitions}: the limited partitions with the most operations that this node
 * coordinates at present, and, while fair shares are measured, the partitions of all tables that hold most of the time
 * of the threads that serve this node's reads, or of those that serve its writes or counter updates. A role sees the
 * partitions of the tables that it may read.
 */
final class HottestPartitionsTable extends AbstractVirtualTable {
    private static final int MOST_ROWS = 100;
    private static final String KEYSPACE = "keyspace_name";
    private static final String TABLE = "table_name";
    private static final String KEY = "partition_key";
    private static final String TOKEN = "token";
    private static final String READS = "reads_per_second";
    private static final String WRITES = "writes_per_second";
    private static final String REJECTED = "rejected_per_second";
    private static final String REJECTED_BY_KEY = "rejected_by_key_limit_per_second";
    private static final String REFUSED_BY_SHARE = "refused_by_fair_share_per_second";
    private static final String READ_TIME_SHARE = "read_time_share";
    private static final String SATURATED = "saturated";
    private static final String REFUSED_WRITES_BY_SHARE = "refused_writes_by_fair_share_per_second";
    private static final String WRITE_TIME_SHARE = "write_time_share";
    private static final String WRITES_SATURATED = "writes_saturated";

    private final CassandraVersion version;
    private final HotPartitions<LimitedTable, NamedPartition> hottest;
    private final FairPool readPool;
    private final FairPool writePool;
    private final FairPool counterPool;

    HottestPartitionsTable(
            String keyspace,
            CassandraVersion version,
            HotPartitions<LimitedTable, NamedPartition> hottest,
            FairPool readPool,
            FairPool writePool,
            FairPool counterPool) {
        super(TableMetadata.builder(keyspace, "hottest_partitions")
                .comment("The hottest partitions now: limited ones by the operations that this node coordinates, all by"
                        + " the time of its threads")
                .kind(TableMetadata.Kind.VIRTUAL)
                .partitioner(new LocalPartitioner(UTF8Type.instance))
                .addPartitionKeyColumn(KEYSPACE, UTF8Type.instance)
                .addClusteringColumn(TABLE, UTF8Type.instance)
                .addClusteringColumn(KEY, UTF8Type.instance)
                .addRegularColumn(TOKEN, UTF8Type.instance)
                .addRegularColumn(READS, DoubleType.instance)
                .addRegularColumn(WRITES, DoubleType.instance)
                .addRegularColumn(REJECTED, DoubleType.instance)
                .addRegularColumn(REJECTED_BY_KEY, DoubleType.instance)
                .addRegularColumn(REFUSED_BY_SHARE, DoubleType.instance)
                .addRegularColumn(READ_TIME_SHARE, DoubleType.instance)
                .addRegularColumn(SATURATED, BooleanType.instance)
                .addRegularColumn(REFUSED_WRITES_BY_SHARE, DoubleType.instance)
                .addRegularColumn(WRITE_TIME_SHARE, DoubleType.instance)
                .addRegularColumn(WRITES_SATURATED, BooleanType.instance)
                .build());
        this.version = version;
        this.hottest = hottest;
        this.readPool = readPool;
        this.writePool = writePool;
        this.counterPool = counterPool;
    }

    /** The rows so far: the same partition may be hot by its operations and by its time. */
    private final class Rows {
        final MayRead mayRead = new MayRead(version);
        final Map<List<String>, Map<String, Object>> columns = new HashMap<>();

        /** The columns of a partition; null if it is not to be shown, as there are rows enough. */
        Map<String, Object> of(TableMetadata table, String key, String token, int most) {
            List<String> row = List.of(table.keyspace, table.name, key);
            Map<String, Object> there = columns.get(row);
            if (there == null && columns.size() < most) {
                there = new HashMap<>(Map.of(TOKEN, token));
                there.put(SATURATED, readPool.isSaturated());
                there.put(WRITES_SATURATED, (table.isCounter() ? counterPool : writePool).isSaturated());
                columns.put(row, there);
            }
            return there;
        }

        /** Adds the partitions that hold most of the time of a pool's threads. */
        void addNamed(FairPool pool, String shareColumn, String refusedColumn, int most) {
            pool.forEachNamed((named, share, refused) -> {
                if (!mayRead.table(named.table)) {
                    return;
                }
                Map<String, Object> row = of(named.table, named.keyText(), named.tokenText(), most);
                if (row != null) {
                    row.put(shareColumn, share);
                    row.put(refusedColumn, refused);
                }
            });
        }
    }

    @Override
    public DataSet data() {
        Rows rows = new Rows();
        hottest.forEach((limited, named, reads, writes, rejected, rejectedByKey) -> {
            TableMetadata table = limited.metadata;
            if (!rows.mayRead.table(table)) {
                return;
            }
            Map<String, Object> row = rows.of(table, named.keyText(), named.tokenText(), MOST_ROWS);
            if (row != null) {
                row.put(READS, reads);
                row.put(WRITES, writes);
                row.put(REJECTED, rejected);
                row.put(REJECTED_BY_KEY, rejectedByKey);
            }
        });
        rows.addNamed(readPool, READ_TIME_SHARE, REFUSED_BY_SHARE, 2 * MOST_ROWS);
        // A table is written in one of two ways.
        rows.addNamed(writePool, WRITE_TIME_SHARE, REFUSED_WRITES_BY_SHARE, 3 * MOST_ROWS);
        rows.addNamed(counterPool, WRITE_TIME_SHARE, REFUSED_WRITES_BY_SHARE, 4 * MOST_ROWS);
        SimpleDataSet shown = new SimpleDataSet(metadata());
        rows.columns.forEach((row, columns) -> {
            shown.row(row.get(0), row.get(1), row.get(2));
            columns.forEach((column, value) -> {
                if (value != null) {
                    shown.column(column, value);
                }
            });
        });
        return shown;
    }
}
