// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import dev.isotherm.cassandra.runtime.RationedLog;
import dev.isotherm.cassandra.version.CassandraVersion;
import dev.isotherm.cassandra.views.WritableView;
import dev.isotherm.limit.KeyLimit;
import dev.isotherm.limit.Operation;
import java.nio.ByteBuffer;
import java.util.Date;
import org.apache.cassandra.db.DeletionInfo;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.db.marshal.TimestampType;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.db.virtual.SimpleDataSet;
import org.apache.cassandra.dht.LocalPartitioner;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.Clock;

/**
 * The virtual table {@code isotherm.limited_partitions}: the partitions that have limits of their own, on all nodes.
 * INSERT and UPDATE limit one, DELETE takes its limits away. A role sees the partitions of the tables that it may read.
 */
final class LimitedPartitionsTable extends WritableView {
    static final String KEYSPACE = "keyspace_name";
    static final String TABLE = "table_name";
    static final String KEY = "partition_key";
    static final String READS = "max_reads_per_second";
    static final String WRITES = "max_writes_per_second";
    static final String UNTIL = "until";
    static final String SET_AT = "set_at";
    static final String TOKEN = "token";

    private final CassandraVersion version;
    private final LimitedKeys keys;
    private final LimitsInForce limits;
    private final RationedLog log = new RationedLog(System::nanoTime);

    LimitedPartitionsTable(String keyspace, CassandraVersion version, LimitedKeys keys, LimitsInForce limits) {
        super(TableMetadata.builder(keyspace, "limited_partitions")
                .comment("Partitions with limits of their own, on all nodes; INSERT limits one, DELETE ends it")
                .kind(TableMetadata.Kind.VIRTUAL)
                .partitioner(new LocalPartitioner(UTF8Type.instance))
                .addPartitionKeyColumn(KEYSPACE, UTF8Type.instance)
                .addClusteringColumn(TABLE, UTF8Type.instance)
                .addClusteringColumn(KEY, UTF8Type.instance)
                .addRegularColumn(READS, Int32Type.instance)
                .addRegularColumn(WRITES, Int32Type.instance)
                .addRegularColumn(UNTIL, TimestampType.instance)
                .addRegularColumn(SET_AT, TimestampType.instance)
                .addRegularColumn(TOKEN, UTF8Type.instance)
                .build());
        this.version = version;
        this.keys = keys;
        this.limits = limits;
    }

    @Override
    public DataSet data() {
        SimpleDataSet rows = new SimpleDataSet(metadata());
        MayRead mayRead = new MayRead(version);
        long now = Clock.Global.currentTimeMillis();
        for (KeyLimit word : keys.known().words()) {
            TableMetadata table = word.holds(now) ? limits.metadataOf(word) : null;
            ByteBuffer key = ByteBuffer.wrap(word.key());
            if (table != null && PartitionKeyText.isOne(table, key) && mayRead.table(table)) {
                rows.row(table.keyspace, table.name, PartitionKeyText.of(table, key));
                addLimit(rows, READS, word.of(Operation.READ));
                addLimit(rows, WRITES, word.of(Operation.WRITE));
                rows.column(UNTIL, new Date(word.untilMillis()))
                        .column(SET_AT, new Date(word.setMillis()))
                        .column(TOKEN, table.partitioner.getToken(key).toString());
            }
        }
        return rows;
    }

    private static void addLimit(SimpleDataSet rows, String column, int limit) {
        if (limit != KeyLimit.NONE) {
            rows.column(column, limit);
        }
    }

    @Override
    protected void change(PartitionUpdate update) {
        DeletionInfo deletion = update.deletionInfo();
        if (!deletion.isLive()) {
            throw new InvalidRequestException(
                    "limited_partitions: a DELETE of several rows is refused; allowed: one that names " + KEYSPACE
                            + ", " + TABLE + " and " + KEY);
        }
        String keyspace = UTF8Type.instance.compose(update.partitionKey().getKey());
        for (Row row : update) {
            LimitedPartitionRow change = LimitedPartitionRow.of(keyspace, row);
            if (row.deletion().isLive()) {
                keys.change(known -> change.limited(known, keys::isOfTable, Clock.Global.currentTimeMillis()));
                log.info(
                        "A partition of {} is limited by isotherm.limited_partitions: token {}",
                        change,
                        change.token());
            } else {
                keys.change(known -> change.removed(known, Clock.Global.currentTimeMillis()));
                log.info(
                        "A partition of {} is no longer limited by isotherm.limited_partitions: token {}",
                        change,
                        change.token());
            }
        }
    }
}
