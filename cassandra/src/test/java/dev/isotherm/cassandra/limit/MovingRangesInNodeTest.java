// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.collect.ImmutableMultimap;
import com.google.common.collect.Multimap;
import dev.isotherm.cassandra.Addresses;
import dev.isotherm.cassandra.innode.NodeInProcess;
import dev.isotherm.cassandra.schema.TableLimits;
import dev.isotherm.limit.Operation;
import java.io.IOException;
import java.util.Map;
import java.util.UUID;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.gms.Gossiper;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.Replica;
import org.apache.cassandra.locator.ReplicaLayout;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.utils.FBUtilities;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Writes to ranges that move: a pending replica hears of no admissions, and would apply what all others reject. */
class MovingRangesInNodeTest {
    private static final Range<Token> ALL =
            new Range<>(Murmur3Partitioner.instance.getMinimumToken(), Murmur3Partitioner.instance.getMinimumToken());

    private static TouchedPartition partition;
    private static ReplicaLookup replicas;

    @BeforeAll
    static void begin() throws IOException {
        NodeInProcess.begin();
        LimitedTable table = new LimitedTable(
                NodeInProcess.table("moving", "comment = ''").metadata(),
                TableLimits.parse(Map.of("max_writes_per_second", "1")),
                new LimitCounts(),
                Map.of());
        partition = new TouchedPartition(table, Operation.WRITE, Int32Type.instance.decompose(1));
        replicas = new ReplicaLookup(FBUtilities.getBroadcastAddressAndPort(), DatabaseDescriptor.getEndpointSnitch());
    }

    private static void pending(Multimap<Range<Token>, Replica> moving) {
        StorageService.instance.getTokenMetadata().setPendingRangesUnsafe(NodeInProcess.KEYSPACE, moving);
    }

    @AfterEach
    void endMove() {
        pending(ImmutableMultimap.of());
    }

    @Test
    void whileARangeMovesAReplicaIsAskedBeforeAnythingIsSent() {
        assertTrue(replicas.allHearDirectly(partition));
        InetAddressAndPort joining = Addresses.node(2);
        Gossiper.instance.initializeNodeUnsafe(joining, UUID.randomUUID(), 1);
        pending(ImmutableMultimap.of(ALL, Replica.fullReplica(joining, ALL)));
        assertEquals(
                2,
                ReplicaLayout.forTokenWriteLiveAndDown(Keyspace.open(NodeInProcess.KEYSPACE), partition.token)
                        .all()
                        .size());
        assertFalse(replicas.allHearDirectly(partition));
    }

    /** A replica that rejects what others apply would lack it: Cassandra keeps no hint for it. */
    @Test
    void whereNoHintsAreKeptAReplicaIsAskedBeforeAnythingIsSent() {
        Replica other = Replica.fullReplica(Addresses.node(3), ALL);
        UUID id = UUID.randomUUID();
        Gossiper.instance.initializeNodeUnsafe(other.endpoint(), id, 1);
        StorageService.instance.getTokenMetadata().updateHostId(id, other.endpoint());
        assertTrue(ReplicaLookup.isOwedHints(other));
        DatabaseDescriptor.setHintedHandoffEnabled(false);
        try {
            assertFalse(ReplicaLookup.isOwedHints(other));
        } finally {
            DatabaseDescriptor.setHintedHandoffEnabled(true);
        }
    }
}
