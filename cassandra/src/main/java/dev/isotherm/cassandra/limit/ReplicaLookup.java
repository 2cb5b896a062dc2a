// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import dev.isotherm.cassandra.runtime.NaturalReplicas;
import dev.isotherm.cassandra.schema.FirstContacts;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.gms.FailureDetector;
import org.apache.cassandra.locator.AbstractReplicationStrategy;
import org.apache.cassandra.locator.EndpointsForToken;
import org.apache.cassandra.locator.IEndpointSnitch;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.Replica;
import org.apache.cassandra.locator.ReplicaLayout;
import org.apache.cassandra.schema.KeyspaceMetadata;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.StorageProxy;

/** Looks up a partition's replicas as this node sees them. */
final class ReplicaLookup {
    /** As a float, which is what travels, it is below one. */
    private static final double ALMOST_ONE = Math.nextDown(1f);

    private final InetAddressAndPort self;
    private final IEndpointSnitch snitch;

    ReplicaLookup(InetAddressAndPort self, IEndpointSnitch snitch) {
        this.self = self;
        this.snitch = snitch;
    }

    /** Whether there are some, and this node is none of them. */
    boolean areOthers(Set<InetAddressAndPort> nodes) {
        return !nodes.isEmpty() && !nodes.contains(self);
    }

    /** The natural replicas, dead ones included. */
    EndpointsForToken natural(TouchedPartition partition) {
        return natural(partition.table, partition.token);
    }

    /** The natural replicas, dead ones included; empty if the keyspace has been dropped. */
    EndpointsForToken natural(LimitedTable table, Token token) {
        return NaturalReplicas.of(table.metadata, token);
    }

    /** Whether this node is a natural replica. */
    boolean isHere(TouchedPartition partition) {
        return natural(partition).endpoints().contains(self);
    }

    /** Whether this node is a natural replica of the table's partitions with this token. */
    boolean isHere(TableMetadata table, Token token) {
        return NaturalReplicas.of(table, token).endpoints().contains(self);
    }

    /** The live replicas that a read at this level may contact. */
    List<InetAddressAndPort> contactable(TableMetadata table, Token token, ConsistencyLevel level) {
        String datacenter = level.isDatacenterLocal() ? snitch.getLocalDatacenter() : null;
        List<InetAddressAndPort> live = new ArrayList<>();
        for (Replica replica : NaturalReplicas.of(table, token)) {
            InetAddressAndPort endpoint = replica.endpoint();
            if ((datacenter == null || datacenter.equals(snitch.getDatacenter(endpoint)))
                    && FailureDetector.instance.isAlive(endpoint)) {
                live.add(endpoint);
            }
        }
        return live;
    }

    /** How many replicas must answer a read of the table at this level; 0 if the keyspace has been dropped. */
    int blockFor(TableMetadata table, ConsistencyLevel level) {
        Keyspace keyspace = Schema.instance.getKeyspaceInstance(table.keyspace);
        return keyspace == null ? 0 : level.blockFor(keyspace.getReplicationStrategy());
    }

    boolean isSelf(Replica replica) {
        return replica.endpoint().equals(self);
    }

    /**
     * Whether each replica receives a write at once by its own message, and decides by the same admissions: all are
     * alive, none is in another datacenter, where one node forwards the write to the others, and none is pending, as
     * while ranges move. A pending one is told of no admissions; where it is this node, it is sent no message. And
     * whether one that rejects a write which others apply is owed a hint: where Cassandra keeps none, as after {@code
     * nodetool disablehandoff}, that replica would lack the write. False if the keyspace has been dropped.
     */
    boolean allHearDirectly(TouchedPartition partition) {
        Keyspace keyspace = Schema.instance.getKeyspaceInstance(partition.table.metadata.keyspace);
        if (keyspace == null) {
            return false;
        }
        String datacenter = snitch.getLocalDatacenter();
        ReplicaLayout.ForTokenWrite layout = ReplicaLayout.forTokenWriteLiveAndDown(keyspace, partition.token);
        if (!layout.pending().isEmpty()) {
            return false;
        }
        for (Replica replica : layout.all()) {
            if (!FailureDetector.instance.isAlive(replica.endpoint())
                    || !datacenter.equals(snitch.getDatacenter(replica.endpoint()))
                    || !isOwedHints(replica)) {
                return false;
            }
        }
        return true;
    }

    /** Whether Cassandra keeps a hint for a replica that is alive and has failed to apply a write. */
    static boolean isOwedHints(Replica replica) {
        return replica.isSelf() || StorageProxy.shouldHint(replica);
    }

    /**
     * Whether Cassandra writes each update of the table to the batch log first, because views or triggers add further
     * mutations.
     */
    boolean goesThroughBatchLog(TouchedPartition partition) {
        TableMetadata table = partition.table.metadata;
        KeyspaceMetadata keyspace = Schema.instance.getKeyspaceMetadata(table.keyspace);
        return !table.triggers.isEmpty()
                || keyspace != null
                        && keyspace.views.forTable(table.id).iterator().hasNext();
    }

    /** The live replicas, the nearest by the operator's snitch first. */
    List<InetAddressAndPort> aliveByProximity(TouchedPartition partition) {
        List<InetAddressAndPort> alive = new ArrayList<>();
        for (Replica replica : snitch.sortedByProximity(self, natural(partition))) {
            if (FailureDetector.instance.isAlive(replica.endpoint())) {
                alive.add(replica.endpoint());
            }
        }
        return alive;
    }

    /**
     * The fraction of a read that each contacted replica accounts at this level if the coordinator is no replica, so
     * that the replicas can report these fractions to the others: below one, also where one is contacted alone. One if
     * all replicas are contacted and no report is needed, or the keyspace has been dropped.
     */
    double partOfRead(TouchedPartition partition, ConsistencyLevel level) {
        Keyspace keyspace = Schema.instance.getKeyspaceInstance(partition.table.metadata.keyspace);
        if (keyspace == null) {
            return 1;
        }
        AbstractReplicationStrategy strategy = keyspace.getReplicationStrategy();
        int contacted = FirstContacts.of(partition.table.metadata, strategy, level);
        return part(contacted, strategy.getReplicationFactor().allReplicas);
    }

    static double part(int contacted, int replicas) {
        return contacted <= 0 || contacted >= replicas ? 1 : Math.min(ALMOST_ONE, 1.0 / contacted);
    }

    /**
     * Stores the hint of a write for the replica that rejected it, after the write succeeded without that replica; none
     * if the keyspace has been dropped.
     */
    void hint(ReplicaRejection rejection) {
        Keyspace keyspace = Schema.instance.getKeyspaceInstance(rejection.mutation.getKeyspaceName());
        if (keyspace == null) {
            return;
        }
        Replica replica = ReplicaLayout.forTokenWriteLiveAndDown(
                        keyspace, rejection.mutation.key().getToken())
                .all()
                .byEndpoint()
                .get(rejection.replica);
        if (replica != null) {
            StorageProxy.submitHint(rejection.mutation, replica, null);
        }
    }
}
