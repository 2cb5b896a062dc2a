// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import dev.isotherm.cassandra.schema.TableLimits;
import java.util.concurrent.atomic.LongAdder;
import org.apache.cassandra.db.marshal.BooleanType;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.db.marshal.LongType;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.virtual.AbstractVirtualTable;
import org.apache.cassandra.db.virtual.SimpleDataSet;
import org.apache.cassandra.dht.LocalPartitioner;
import org.apache.cassandra.schema.TableMetadata;

/** The virtual table {@code isotherm.partition_limits}: the limits in force, and this node's decisions by them. */
final class PartitionLimitsTable extends AbstractVirtualTable {
    private static final String MAX_READS = "max_reads_per_second";
    private static final String MAX_WRITES = "max_writes_per_second";
    private static final String DRY_RUN = "dry_run";
    private static final String ADMITTED_READS = "admitted_reads";
    private static final String ADMITTED_WRITES = "admitted_writes";
    private static final String REJECTED_READS = "rejected_reads";
    private static final String REJECTED_WRITES = "rejected_writes";
    private static final String WOULD_REJECT_READS = "would_reject_reads";
    private static final String WOULD_REJECT_WRITES = "would_reject_writes";
    private static final String PARTLY_APPLIED = "partly_applied_writes";

    private final LimitsInForce limits;

    PartitionLimitsTable(String keyspace, LimitsInForce limits) {
        super(TableMetadata.builder(keyspace, "partition_limits")
                .comment("Per-partition rate limits in force, and what this node has decided by them")
                .kind(TableMetadata.Kind.VIRTUAL)
                .partitioner(new LocalPartitioner(UTF8Type.instance))
                .addPartitionKeyColumn("keyspace_name", UTF8Type.instance)
                .addClusteringColumn("table_name", UTF8Type.instance)
                .addRegularColumn(MAX_READS, Int32Type.instance)
                .addRegularColumn(MAX_WRITES, Int32Type.instance)
                .addRegularColumn(DRY_RUN, BooleanType.instance)
                .addRegularColumn(ADMITTED_READS, LongType.instance)
                .addRegularColumn(ADMITTED_WRITES, LongType.instance)
                .addRegularColumn(REJECTED_READS, LongType.instance)
                .addRegularColumn(REJECTED_WRITES, LongType.instance)
                .addRegularColumn(WOULD_REJECT_READS, LongType.instance)
                .addRegularColumn(WOULD_REJECT_WRITES, LongType.instance)
                .addRegularColumn(PARTLY_APPLIED, LongType.instance)
                .build());
        this.limits = limits;
    }

    @Override
    public DataSet data() {
        SimpleDataSet rows = new SimpleDataSet(metadata());
        for (LimitedTable table : limits.all()) {
            rows.row(table.metadata.keyspace, table.metadata.name);
            addLimit(rows, MAX_READS, table.maxReads);
            addLimit(rows, MAX_WRITES, table.maxWrites);
            rows.column(DRY_RUN, table.dryRun);
            addCount(rows, ADMITTED_READS, table.counts.admittedReads);
            addCount(rows, ADMITTED_WRITES, table.counts.admittedWrites);
            addCount(rows, REJECTED_READS, table.counts.rejectedReads);
            addCount(rows, REJECTED_WRITES, table.counts.rejectedWrites);
            addCount(rows, WOULD_REJECT_READS, table.counts.wouldRejectReads);
            addCount(rows, WOULD_REJECT_WRITES, table.counts.wouldRejectWrites);
            addCount(rows, PARTLY_APPLIED, table.counts.partlyApplied);
        }
        return rows;
    }

    private static void addLimit(SimpleDataSet rows, String column, int limit) {
        if (limit != TableLimits.NONE) {
            rows.column(column, limit);
        }
    }

    private static void addCount(SimpleDataSet rows, String column, LongAdder count) {
        rows.column(column, count.sum());
    }
}
