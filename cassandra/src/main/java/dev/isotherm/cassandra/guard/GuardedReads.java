// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.guard;

import dev.isotherm.cassandra.runtime.Rearranged;
import dev.isotherm.cassandra.runtime.RuntimeSwitch;
import dev.isotherm.cassandra.runtime.TransientReplicas;
import dev.isotherm.guard.Avoided;
import dev.isotherm.guard.ReadGuard;
import dev.isotherm.guard.ReplicaRanks;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.Replica;
import org.apache.cassandra.locator.ReplicaCollection;

/**
 * Moves the replicas that reads avoid behind the others, in any order of replicas that a read is about to use: those of
 * which only some reads are late stay before other datacenters' replicas.
 */
public final class GuardedReads {
    private final RuntimeSwitch enabled;
    private final ReadGuard<InetAddressAndPort> guard;
    private final Predicate<InetAddressAndPort> alive;
    private final Predicate<InetAddressAndPort> near;
    private final LongAdder moved = new LongAdder();

    /**
     * @param alive whether Cassandra considers the node alive; asked only while something is avoided
     * @param near whether the node is in this node's datacenter; asked as rarely
     */
    GuardedReads(
            RuntimeSwitch enabled,
            ReadGuard<InetAddressAndPort> guard,
            Predicate<InetAddressAndPort> alive,
            Predicate<InetAddressAndPort> near) {
        this.enabled = enabled;
        this.guard = guard;
        this.alive = alive;
        this.near = near;
    }

    /**
     * The orders of replicas, since the node started, in which one of this datacenter that is not avoided has come
     * before one that is. Most levels read nothing elsewhere, where the replicas are moved all the same.
     */
    long moved() {
        return moved.sum();
    }

    /**
     * The replicas in the order in which a read should contact them. While nothing is avoided that is the given order,
     * and the same object; so it is where one of them is transient.
     */
    public <C extends ReplicaCollection<? extends C>> C guarded(C replicas) {
        Avoided<InetAddressAndPort> avoided = guard.avoided();
        return avoided.isEmpty() || !enabled.isOn() || replicas.size() < 2 ? replicas : ordered(replicas, avoided);
    }

    /**
     * Whether reads of two neighbouring ranges may become one: not if that contacts an avoided replica which neither of
     * them contacts. Only the replicas that both ranges have can serve both, and such a read has no speculative retry.
     */
    public boolean mayMerge(ReplicaCollection<?> merged, ReplicaCollection<?> left, ReplicaCollection<?> right) {
        Avoided<InetAddressAndPort> avoided = guard.avoided();
        if (avoided.isEmpty() || !enabled.isOn()) {
            return true;
        }
        for (Replica replica : merged) {
            InetAddressAndPort endpoint = replica.endpoint();
            if (avoided.rankOf(endpoint, false) != ReplicaRanks.USED
                    && !left.endpoints().contains(endpoint)
                    && !right.endpoints().contains(endpoint)) {
                return false;
            }
        }
        return true;
    }

    private <C extends ReplicaCollection<? extends C>> C ordered(C replicas, Avoided<InetAddressAndPort> avoided) {
        if (TransientReplicas.areAmong(replicas)) {
            return replicas;
        }
        int[] ranks = new int[replicas.size()];
        // Reads contact a quorum of them or fewer. A trial that no read makes is granted again with the next look.
        int contacted = ranks.length / 2 + 1;
        for (int i = 0; i < ranks.length; i++) {
            InetAddressAndPort endpoint = replicas.get(i).endpoint();
            ranks[i] = alive.test(endpoint) ? avoided.rankOf(endpoint, i < contacted) : ReplicaRanks.DEAD;
        }
        int[] ties = new int[ranks.length];
        ReplicaRanks.keepFarBehind(
                ranks, ties, place -> !near.test(replicas.get(place).endpoint()));
        int[] places = new int[ranks.length];
        if (!ReplicaRanks.order(ranks, ties, places)) {
            return replicas;
        }
        if (goesAround(replicas, ranks)) {
            moved.increment();
        }
        return Rearranged.of(replicas, places);
    }

    private boolean goesAround(ReplicaCollection<?> replicas, int[] ranks) {
        boolean isAvoidedBefore = false;
        for (int i = 0; i < ranks.length; i++) {
            if (ranks[i] == ReplicaRanks.DEAD || !near.test(replicas.get(i).endpoint())) {
                continue;
            }
            if (ranks[i] == ReplicaRanks.USED && isAvoidedBefore) {
                return true;
            }
            isAvoidedBefore |= ranks[i] != ReplicaRanks.USED;
        }
        return false;
    }
}
