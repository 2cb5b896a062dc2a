// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.guard;

import dev.isotherm.guard.ReplicaStatus;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.cassandra.db.marshal.InetAddressType;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.db.marshal.LongType;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.virtual.AbstractVirtualTable;
import org.apache.cassandra.db.virtual.SimpleDataSet;
import org.apache.cassandra.dht.LocalPartitioner;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.schema.TableMetadata;

/** The virtual table {@code isotherm.replicas}: what this coordinator sees of the reads that each node serves it. */
final class ReplicasTable extends AbstractVirtualTable {
    private final Supplier<Set<InetAddressAndPort>> replicas;
    private final Function<InetAddressAndPort, ReplicaStatus> statusOf;

    ReplicasTable(
            String keyspace,
            Supplier<Set<InetAddressAndPort>> replicas,
            Function<InetAddressAndPort, ReplicaStatus> statusOf) {
        super(TableMetadata.builder(keyspace, "replicas")
                .comment("The nodes that this coordinator reads from, and whether its reads avoid them")
                .kind(TableMetadata.Kind.VIRTUAL)
                .partitioner(new LocalPartitioner(InetAddressType.instance))
                .addPartitionKeyColumn("address", InetAddressType.instance)
                .addClusteringColumn("port", Int32Type.instance)
                .addRegularColumn("guard", UTF8Type.instance)
                .addRegularColumn("reason", UTF8Type.instance)
                .addRegularColumn("avoided_ms", LongType.instance)
                .addRegularColumn("unanswered", Int32Type.instance)
                .addRegularColumn("oldest_ms", LongType.instance)
                .addRegularColumn("patience_ms", LongType.instance)
                .build());
        this.replicas = replicas;
        this.statusOf = statusOf;
    }

    @Override
    public DataSet data() {
        SimpleDataSet rows = new SimpleDataSet(metadata());
        for (InetAddressAndPort replica : replicas.get()) {
            ReplicaStatus status = statusOf.apply(replica);
            if (status != null) {
                addRow(rows, replica, status);
            }
        }
        return rows;
    }

    private static void addRow(SimpleDataSet rows, InetAddressAndPort replica, ReplicaStatus status) {
        rows.row(replica.getAddress(), replica.getPort())
                .column("guard", status.state())
                .column("unanswered", status.unanswered())
                .column("patience_ms", TimeUnit.NANOSECONDS.toMillis(status.patienceNanos()));
        if (!status.reason().isEmpty()) {
            rows.column("reason", status.reason());
        }
        if (status.forNanos() >= 0) {
            rows.column("avoided_ms", TimeUnit.NANOSECONDS.toMillis(status.forNanos()));
        }
        if (status.oldestNanos() >= 0) {
            rows.column("oldest_ms", TimeUnit.NANOSECONDS.toMillis(status.oldestNanos()));
        }
    }
}
