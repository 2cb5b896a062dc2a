// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.queue;

import dev.isotherm.cassandra.runtime.Failures;
import dev.isotherm.cassandra.version.CassandraVersion;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.locator.IEndpointSnitch;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.Replica;
import org.apache.cassandra.schema.Schema;

/**
 * Steers Cassandra's pick of a counter update's leader to the replica that {@link LeaderChooser} has chosen.
 *
 * <p>Cassandra picks a random one of the live replicas for which the snitch names the local datacenter. During this
 * pick, and only then, the snitch names no datacenter for all replicas but the chosen one. All other steps of the
 * update are Cassandra's own: permissions, validation, guardrails, forwarding, errors and metrics.
 */
public final class LeaderSteering {
    private final CassandraVersion version;
    private final IEndpointSnitch snitch;
    private final LeaderChooser chooser;
    private final LongSupplier ringVersion;
    private final Failures failures;
    /** The nodes that could lead at the last look. For the thread that looks. */
    private Set<InetAddressAndPort> seen = Set.of();
    /** Those that could at the last two. */
    private volatile Set<InetAddressAndPort> steady = Set.of();
    /** Those of this node's datacenter at the last look. */
    private volatile Set<InetAddressAndPort> near = Set.of();

    /** @param ringVersion a number that changes whenever the replicas of a range may have */
    LeaderSteering(
            CassandraVersion version,
            IEndpointSnitch snitch,
            LeaderChooser chooser,
            LongSupplier ringVersion,
            Failures failures) {
        this.version = version;
        this.snitch = snitch;
        this.chooser = chooser;
        this.ringVersion = ringVersion;
        this.failures = failures;
    }

    /**
     * Notes which of the nodes can lead now; call it each second, on one thread. A node leads once two looks have found
     * it: one that came up after Cassandra had listed the replicas of its pick would leave none of the list.
     */
    void look(Iterable<InetAddressAndPort> nodes) {
        Set<InetAddressAndPort> leading = new HashSet<>();
        for (InetAddressAndPort node : nodes) {
            if (version.canLeadCounters(node)) {
                leading.add(node);
            }
        }
        Set<InetAddressAndPort> twice = new HashSet<>(leading);
        twice.retainAll(seen);
        seen = leading;
        steady = twice;
        near = nearAmong(leading);
    }

    private Set<InetAddressAndPort> nearAmong(Set<InetAddressAndPort> nodes) {
        Set<InetAddressAndPort> those = new HashSet<>(nodes);
        those.removeIf(node -> !isNear(node));
        return those;
    }

    private boolean isNear(InetAddressAndPort node) {
        try {
            return isLocal(node);
        } catch (RuntimeException | LinkageError | AssertionError e) {
            failures.record("A node is not compared with, as the snitch does not tell its datacenter", e);
            return false;
        }
    }

    /** Whether Cassandra is picking a leader at this moment and must not pick this replica. Never throws. */
    public boolean isPassedOver(Replica replica) {
        CounterUpdate update = CounterUpdate.current();
        if (!update.isActive()) {
            return false;
        }
        try {
            if (!version.isPickingCounterLeader()) {
                return false;
            }
            CounterUpdate.Leader leader = update.leaderOf(replica.range());
            // Before the replicas are looked up: a ring that changes meanwhile has another version at the next look.
            long ringVersion = this.ringVersion.getAsLong();
            if (leader == null) {
                leader = choose(update, replica, ringVersion);
                update.choose(replica.range(), leader);
            } else if (leader.hasLost(version::canLeadCounters, ringVersion) && isCandidate(replica.endpoint())) {
                // An earlier update of the batch went to it, and Cassandra passes it over since, or does not have it
                // among the replicas any more. The others of this pick may have been passed over before: this one
                // leads now, so that there is one.
                leader = CounterUpdate.Leader.at(replica.endpoint(), ringVersion);
                update.choose(replica.range(), leader);
            }
            return leader.excludes(replica.endpoint());
        } catch (RuntimeException | LinkageError | AssertionError e) {
            failures.record("A counter update gets the leader that Cassandra picks", e);
            update.clear();
            return false;
        }
    }

    private CounterUpdate.Leader choose(CounterUpdate update, Replica replica, long ringVersion) {
        Keyspace keyspace = Schema.instance.getKeyspaceInstance(update.keyspace());
        if (keyspace == null) {
            return CounterUpdate.Leader.ANY; // It is dropped meanwhile.
        }
        List<InetAddressAndPort> candidates =
                candidatesAmong(keyspace.getReplicationStrategy().getNaturalReplicas(replica.range().right).stream()
                        .map(Replica::endpoint));
        return candidates.size() < 2
                ? CounterUpdate.Leader.ANY
                : CounterUpdate.Leader.at(chooser.among(candidates, update), ringVersion);
    }

    /** Whether the node is one of those at the last look that may lead this node's updates. Never asks the snitch. */
    boolean mayLead(InetAddressAndPort node) {
        return near.contains(node);
    }

    /** Those that can lead now, and could at the last two looks. */
    List<InetAddressAndPort> candidatesAmong(Stream<InetAddressAndPort> replicas) {
        return replicas.filter(node -> steady.contains(node) && isCandidate(node))
                .collect(Collectors.toList());
    }

    private boolean isCandidate(InetAddressAndPort node) {
        return version.canLeadCounters(node) && isLocal(node);
    }

    private boolean isLocal(InetAddressAndPort node) {
        return snitch.getLocalDatacenter().equals(snitch.getDatacenter(node));
    }
}
