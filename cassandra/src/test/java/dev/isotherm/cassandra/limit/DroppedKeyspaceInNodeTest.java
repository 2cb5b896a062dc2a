// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.cassandra.innode.NodeInProcess;
import dev.isotherm.cassandra.schema.TableLimits;
import dev.isotherm.limit.Operation;
import java.io.IOException;
import java.util.Map;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.metrics.StorageMetrics;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.FBUtilities;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A request may be under way whose keyspace is dropped: Cassandra refuses it, and nothing of the plugin's fails. */
class DroppedKeyspaceInNodeTest {
    private static ReplicaLookup replicas;
    private static TableMetadata dropped;
    private static TouchedPartition partition;

    @BeforeAll
    static void begin() throws IOException {
        NodeInProcess.begin();
        replicas = new ReplicaLookup(FBUtilities.getBroadcastAddressAndPort(), DatabaseDescriptor.getEndpointSnitch());
        dropped = NodeInProcess.ofDroppedKeyspace();
        LimitedTable table = new LimitedTable(
                dropped, TableLimits.parse(Map.of("max_writes_per_second", "1")), new LimitCounts(), Map.of());
        partition = new TouchedPartition(table, Operation.WRITE, Int32Type.instance.decompose(1));
    }

    @Test
    void itHasNoReplicas() {
        assertTrue(replicas.natural(partition).isEmpty());
        assertFalse(replicas.isHere(partition));
        assertEquals(0, replicas.blockFor(dropped, ConsistencyLevel.QUORUM));
        assertEquals(1, replicas.partOfRead(partition, ConsistencyLevel.QUORUM));
        assertFalse(replicas.allHearDirectly(partition));
    }

    @Test
    void noHintIsKept() {
        PartitionUpdate.SimpleBuilder update = PartitionUpdate.simpleBuilder(dropped, 1);
        update.row().add("v", 1);
        long before = StorageMetrics.totalHints.getCount();
        replicas.hint(new ReplicaRejection(null, update.buildAsMutation(), FBUtilities.getBroadcastAddressAndPort()));
        assertEquals(before, StorageMetrics.totalHints.getCount());
    }
}
