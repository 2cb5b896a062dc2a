// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.views;

import dev.isotherm.cassandra.runtime.ProcessStart;
import dev.isotherm.rollout.Readiness;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Date;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.marshal.BooleanType;
import org.apache.cassandra.db.marshal.DoubleType;
import org.apache.cassandra.db.marshal.InetAddressType;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.db.marshal.LongType;
import org.apache.cassandra.db.marshal.TimestampType;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.virtual.AbstractVirtualTable;
import org.apache.cassandra.db.virtual.SimpleDataSet;
import org.apache.cassandra.dht.LocalPartitioner;
import org.apache.cassandra.gms.EndpointState;
import org.apache.cassandra.gms.FailureDetector;
import org.apache.cassandra.gms.Gossiper;
import org.apache.cassandra.hints.HintsService;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.TokenMetadata;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.utils.Clock;
import org.apache.cassandra.utils.FBUtilities;

/**
 * The virtual table {@code isotherm.rollout}: what this node sees of each node that a rolling restart waits for, and
 * whether the next one may restart.
 *
 * <p>Hints and shares are this node's own: the next one may restart when every node says so.
 */
public final class RolloutTable extends AbstractVirtualTable {
    private final Function<InetAddressAndPort, NodeHeat> heat;

    public RolloutTable(String keyspace, Function<InetAddressAndPort, NodeHeat> heat) {
        super(TableMetadata.builder(keyspace, "rollout")
                .comment("The nodes as this one sees them, and whether the next one may restart")
                .kind(TableMetadata.Kind.VIRTUAL)
                .partitioner(new LocalPartitioner(InetAddressType.instance))
                .addPartitionKeyColumn("address", InetAddressType.instance)
                .addClusteringColumn("port", Int32Type.instance)
                .addRegularColumn("up", BooleanType.instance)
                .addRegularColumn("up_since", TimestampType.instance)
                .addRegularColumn("cost_times_peers", DoubleType.instance)
                .addRegularColumn("coldest_table", UTF8Type.instance)
                .addRegularColumn("share_wanted", DoubleType.instance)
                .addRegularColumn("share_sent", DoubleType.instance)
                .addRegularColumn("hints_owed_bytes", LongType.instance)
                .addRegularColumn("schema_agreed", BooleanType.instance)
                .addRegularColumn("safe_to_restart_next", BooleanType.instance)
                .addRegularColumn("reason", UTF8Type.instance)
                .build());
        this.heat = heat;
    }

    @Override
    public DataSet data() {
        SimpleDataSet rows = new SimpleDataSet(metadata());
        TokenMetadata ring = StorageService.instance.getTokenMetadata();
        Map<UUID, Long> hintFiles = hintFiles();
        for (Map.Entry<InetAddressAndPort, UUID> node :
                ring.getEndpointToHostIdMapForReading().entrySet()) {
            EndpointState state = Gossiper.instance.getEndpointStateForEndpoint(node.getKey());
            if (state != null) {
                addRow(rows, ring, node.getKey(), hintBytes(node.getValue(), hintFiles), state);
            }
        }
        return rows;
    }

    private static Map<UUID, Long> hintFiles() {
        try {
            return HintFiles.bytesByHost(DatabaseDescriptor.getHintsDirectory().toPath());
        } catch (IOException e) {
            throw new UncheckedIOException("The hints on this node's disk cannot be counted", e);
        }
    }

    /** The larger of what Cassandra counts and what is on the disk: a file is written before it is closed. */
    private static long hintBytes(UUID host, Map<UUID, Long> files) {
        return Math.max(files.getOrDefault(host, 0L), HintsService.instance.getTotalHintsSize(host));
    }

    private void addRow(
            SimpleDataSet rows, TokenMetadata ring, InetAddressAndPort node, long hintBytes, EndpointState state) {
        NodeHeat known = heat.apply(node);
        boolean up = FailureDetector.instance.isAlive(node);
        boolean member = ring.isMember(node) && !ring.isLeaving(node);
        UUID schema = state.getSchemaVersion();
        boolean agreed = schema != null && schema.equals(Schema.instance.getVersion());
        long startedMillis = ProcessStart.millis(state);
        long seconds = Math.min(secondsSince(startedMillis), secondsSince(ownStartMillis()));
        Readiness readiness =
                Readiness.of(up, member, agreed, hintBytes, known.timesPeers, known.coldestTable, seconds);
        rows.row(node.getAddress(), node.getPort())
                .column("up", up)
                .column("hints_owed_bytes", hintBytes)
                .column("schema_agreed", agreed)
                .column("safe_to_restart_next", readiness.isSafe())
                .column("reason", readiness.reason());
        if (up) {
            rows.column("up_since", new Date(startedMillis));
        }
        if (known.coldestTable != null) {
            rows.column("coldest_table", known.coldestTable).column("cost_times_peers", known.timesPeers);
        }
        if (!Double.isNaN(known.shareWanted)) {
            rows.column("share_wanted", known.shareWanted).column("share_sent", known.shareSent);
        }
    }

    private static long ownStartMillis() {
        return ProcessStart.millis(
                Gossiper.instance.getEndpointStateForEndpoint(FBUtilities.getBroadcastAddressAndPort()));
    }

    private static long secondsSince(long millis) {
        return TimeUnit.MILLISECONDS.toSeconds(Clock.Global.currentTimeMillis() - millis);
    }
}
