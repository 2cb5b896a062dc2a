// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import dev.isotherm.cassandra.runtime.TransientReplicas;
import dev.isotherm.common.SplitMix64;
import dev.isotherm.heat.HeavyHitters;
import dev.isotherm.heat.SteadyDraws;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import org.apache.cassandra.locator.EndpointsForToken;
import org.apache.cassandra.locator.IEndpointSnitch;
import org.apache.cassandra.locator.InetAddressAndPort;

/** Orders the replicas of a read by heat. */
public final class ReplicaOrdering {
    /** A live mask is a long: a token with more than 64 replicas keeps the operator's order. */
    private static final int MAX_REPLICAS = 64;

    private final HeatSwitches switches;
    private final IEndpointSnitch snitch;
    private final DeadNodes dead;
    private final GroupPlans plans;
    private final DoubleSupplier random;
    private final SteadyDraws steady;
    private final LongSupplier nanoClock;
    private final LongAdder unchanged = new LongAdder();
    private final HeavyHitters heavyHitters = new HeavyHitters();

    /**
     * @param random numbers in [0, 1), for any thread
     * @param steady those by which the pages of a scan are drawn but the first
     */
    ReplicaOrdering(
            HeatSwitches switches,
            IEndpointSnitch snitch,
            DeadNodes dead,
            GroupPlans plans,
            DoubleSupplier random,
            SteadyDraws steady,
            LongSupplier nanoClock) {
        this.switches = switches;
        this.snitch = snitch;
        this.dead = dead;
        this.plans = plans;
        this.random = random;
        this.steady = steady;
        this.nanoClock = nanoClock;
    }

    /** Reads whose replicas were drawn by heat since the node started. */
    long balancedReads() {
        return plans.reads();
    }

    /**
     * Reads that kept the operator's order since the node started: the heats gave no plan, or the partition is heavy,
     * the heats are equal and the order begins with this node.
     */
    long unchangedReads() {
        return unchanged.sum();
    }

    /**
     * The replicas in the order of contact, or null if the operator's order stays: the heats give no plan, the feature
     * is switched off, or no statement in progress reads single partitions.
     *
     * @param coordinator this node
     */
    public EndpointsForToken order(InetAddressAndPort coordinator, EndpointsForToken replicas) {
        if (!switches.enabled().isOn()) {
            return null;
        }
        ReadContext context = ReadContext.current();
        return context.isActive() ? order(context, coordinator, replicas) : null;
    }

    private EndpointsForToken order(ReadContext context, InetAddressAndPort coordinator, EndpointsForToken replicas) {
        if (!isOrdered(context, replicas)) {
            return null;
        }
        GroupPlan plan = currentPlan(context, replicas);
        // The pages of one scan are read by one client, and no reason to change its replicas.
        boolean isHeavy = plan.spreadsHeavyHitters() && !context.goesOn() && saw(context, replicas);
        if (plan.datacenters.isEmpty() || isHeavy && plan.haveEqualHeats() && isFirst(coordinator, replicas)) {
            unchanged.increment();
            return null;
        }
        return draw(context, coordinator, replicas, plan.datacenters, isHeavy);
    }

    /** Whether the operator's order begins with the coordinator: if not, it may be the same one on all of them. */
    private boolean isFirst(InetAddressAndPort coordinator, EndpointsForToken replicas) {
        return replicas.contains(coordinator)
                && snitch.sortedByProximity(coordinator, replicas)
                        .get(0)
                        .endpoint()
                        .equals(coordinator);
    }

    /** Whether the partition gets so many of this coordinator's reads that all of its replicas are to serve them. */
    private boolean saw(ReadContext context, EndpointsForToken replicas) {
        long partition = DiskSampling.tokenBits(replicas.token())
                ^ SplitMix64.mix(context.table().id.hashCode());
        return heavyHitters.saw(partition, ThreadLocalRandom.current().nextInt());
    }

    private static boolean isOrdered(ReadContext context, EndpointsForToken replicas) {
        return replicas.size() >= 2
                && replicas.size() <= MAX_REPLICAS
                && context.expects(replicas.token())
                && !TransientReplicas.areAmong(replicas);
    }

    private GroupPlan currentPlan(ReadContext context, EndpointsForToken replicas) {
        return plans.currentFor(new GroupKey(context.table().id, context.consistencyLevel(), replicas, dead));
    }

    /** The plan by which the present statement's reads of these replicas are ordered; empty if none is. */
    Optional<GroupPlan> planOf(ReadContext context, EndpointsForToken replicas) {
        if (!switches.enabled().isOn() || !context.isActive() || !isOrdered(context, replicas)) {
            return Optional.empty();
        }
        return Optional.of(currentPlan(context, replicas)).filter(plan -> !plan.datacenters.isEmpty());
    }

    private EndpointsForToken draw(
            ReadContext context,
            InetAddressAndPort coordinator,
            EndpointsForToken replicas,
            List<DatacenterPlan> datacenters,
            boolean isHeavy) {
        long tokenBits = DiskSampling.tokenBits(replicas.token());
        int n = replicas.size();
        int[] places = context.placesOf(n);
        int drawn = 0;
        // The replicas of a page are read by the next one too: they have its neighbourhood in their caches, and at ONE
        // another replica may not have the rows after which the page begins.
        boolean stays = context.goesOn();
        long nowNanos = stays ? nanoClock.getAsLong() : 0;
        for (int i = 0; i < datacenters.size(); i++) {
            DatacenterPlan datacenter = datacenters.get(i);
            double u = stays ? steady.replicas(tokenBits, nowNanos) : random.getAsDouble();
            double v = stays ? steady.order(tokenBits, nowNanos) : random.getAsDouble();
            datacenter.draw(tokenBits, isHeavy, u, v, drawn, places);
            drawn += datacenter.size();
        }
        if (drawn < n) {
            // Replicas of other datacenters and dead replicas follow in the order of the operator's snitch; Cassandra
            // drops the dead ones itself.
            placeMissing(replicas, snitch.sortedByProximity(coordinator, replicas), drawn, places);
        }
        return context.permuted(replicas);
    }

    /** Gives those replicas a place that have none among the first ones. */
    private static void placeMissing(EndpointsForToken replicas, EndpointsForToken inOrder, int drawn, int[] places) {
        int next = drawn;
        for (int i = 0; i < inOrder.size(); i++) {
            int index = replicas.endpointList().indexOf(inOrder.get(i).endpoint());
            if (places[index] == Permutation.NO_PLACE) {
                places[index] = next++;
            }
        }
    }
}
