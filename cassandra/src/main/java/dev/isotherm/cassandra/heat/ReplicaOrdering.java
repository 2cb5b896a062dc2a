// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

import org.apache.cassandra.dht.Token;
import org.apache.cassandra.locator.EndpointsForToken;
import org.apache.cassandra.locator.IEndpointSnitch;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.Replica;

/** Puts the replicas of a read in the order in which heat wants them contacted. */
public final class ReplicaOrdering {
    /** A live mask is a long: a token with more replicas than bits keeps the operator's order. */
    private static final int MAX_REPLICAS = 64;

    private final IEndpointSnitch snitch;
    private final Predicate<InetAddressAndPort> liveness;
    private final GroupPlans plans;
    private final LongSupplier nanoClock;
    private final DoubleSupplier random;
    private final LongAdder balanced = new LongAdder();
    private final LongAdder unchanged = new LongAdder();

    /** @param random numbers in [0, 1), for any thread */
    ReplicaOrdering(
            IEndpointSnitch snitch,
            Predicate<InetAddressAndPort> liveness,
            GroupPlans plans,
            LongSupplier nanoClock,
            DoubleSupplier random) {
        this.snitch = snitch;
        this.liveness = liveness;
        this.plans = plans;
        this.nanoClock = nanoClock;
        this.random = random;
    }

    /** Reads whose replicas were drawn by heat since the node started. */
    public long balancedReads() {
        return balanced.sum();
    }

    /** Reads that kept the operator's order because heat said nothing, since the node started. */
    public long unchangedReads() {
        return unchanged.sum();
    }

    /**
     * The replicas in the order of contact, or null when heat says nothing and the operator's order stands.
     *
     * @param coordinator this node
     */
    public EndpointsForToken order(ReadContext context, InetAddressAndPort coordinator, EndpointsForToken replicas) {
        if (replicas.size() < 2 || replicas.size() > MAX_REPLICAS || !context.expects(replicas.token())) {
            return null;
        }
        long live = 0;
        for (int i = 0; i < replicas.size(); i++) {
            Replica replica = replicas.get(i);
            if (replica.isTransient()) {
                return null;
            }
            if (liveness.test(replica.endpoint())) {
                live |= 1L << i;
            }
        }
        GroupKey key = new GroupKey(context.table().id, context.consistencyLevel(), replicas, live);
        GroupPlan plan = plans.currentFor(key, nanoClock.getAsLong());
        if (plan.datacenters.isEmpty()) {
            unchanged.increment();
            return null;
        }
        balanced.increment();
        return draw(context, coordinator, replicas, plan.datacenters);
    }

    private EndpointsForToken draw(
            ReadContext context, InetAddressAndPort coordinator, EndpointsForToken replicas, List<DatacenterPlan> datacenters) {
        int n = replicas.size();
        int[] room = context.orderOf(n);
        int[] scratch = context.scratchOf(n);
        Token token = replicas.token();
        long tokenBits = token.getTokenValue() instanceof Long ? token.getLongValue() : token.hashCode();
        int drawn = 0;
        for (int i = 0; i < datacenters.size(); i++) {
            drawn = datacenters.get(i).order(
                tokenBits, random.getAsDouble(), random.getAsDouble(), room, drawn, scratch);
        }
        EndpointsForToken.Builder ordered = EndpointsForToken.builder(token, n);
        for (int i = 0; i < drawn; i++) {
            ordered.add(replicas.get(room[i]));
        }
        if (drawn < n) {
            // Other datacenters and the dead follow as the operator's snitch has them: Cassandra drops the dead itself.
            EndpointsForToken rest = snitch.sortedByProximity(coordinator, replicas);
            for (int i = 0; i < n; i++) {
                if (!ordered.contains(rest.get(i))) {
                    ordered.add(rest.get(i));
                }
            }
        }
        return ordered.build();
    }
}
