// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.queue;

import dev.isotherm.queue.QueueDepth;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.db.marshal.InetAddressType;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.db.marshal.LongType;
import org.apache.cassandra.db.virtual.AbstractVirtualTable;
import org.apache.cassandra.db.virtual.SimpleDataSet;
import org.apache.cassandra.dht.LocalPartitioner;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.schema.TableMetadata;

/**
 * The virtual table {@code isotherm.queues}: the depth of this node's queue for counter updates, and its estimates of
 * its peers' queues.
 */
final class QueuesTable extends AbstractVirtualTable {
    private final LocalQueue queue;
    private final PeerQueues peers;
    private final InetAddressAndPort self;

    QueuesTable(String keyspace, LocalQueue queue, PeerQueues peers, InetAddressAndPort self) {
        super(TableMetadata.builder(keyspace, "queues")
                .comment("Queues for counter updates, in updates of the fastest node, as this node believes them;"
                        + " its own without an age")
                .kind(TableMetadata.Kind.VIRTUAL)
                .partitioner(new LocalPartitioner(InetAddressType.instance))
                .addPartitionKeyColumn("address", InetAddressType.instance)
                .addClusteringColumn("port", Int32Type.instance)
                .addRegularColumn("last_answer", Int32Type.instance)
                .addRegularColumn("estimate", Int32Type.instance)
                .addRegularColumn("age_ms", LongType.instance)
                .addRegularColumn("depth", Int32Type.instance)
                .addRegularColumn("service_us", LongType.instance)
                .build());
        this.queue = queue;
        this.peers = peers;
        this.self = self;
    }

    @Override
    public DataSet data() {
        SimpleDataSet rows = new SimpleDataSet(metadata());
        long now = System.nanoTime();
        rows.row(self.getAddress(), self.getPort())
                .column("last_answer", queue.weighedDepth(now))
                .column("estimate", queue.weighedDepth(now))
                .column("depth", queue.depth())
                .column("service_us", TimeUnit.NANOSECONDS.toMicros(queue.serviceNanos()));
        peers.all().forEach((peer, estimator) -> {
            rows.row(peer.getAddress(), peer.getPort());
            if (estimator.lastAnswer() != QueueDepth.UNKNOWN) {
                rows.column("last_answer", estimator.lastAnswer())
                        .column("age_ms", TimeUnit.NANOSECONDS.toMillis(estimator.ageNanos(now)));
            }
            if (estimator.estimate(now) != QueueDepth.UNKNOWN) {
                rows.column("estimate", estimator.estimate(now));
            }
        });
        return rows;
    }
}
