// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import dev.isotherm.cassandra.runtime.Rearranged;
import dev.isotherm.cassandra.runtime.TransientReplicas;
import dev.isotherm.common.SplitMix64;
import dev.isotherm.heat.HeavyHitters;
import dev.isotherm.heat.SteadyDraws;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiFunction;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import org.apache.cassandra.locator.EndpointsForToken;
import org.apache.cassandra.locator.IEndpointSnitch;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.Replica;

/** Orders the replicas of a read by heat. */
public final class ReplicaOrdering {
    /** A live mask is a long: a token with more than 64 replicas keeps the order that it has without the plugin. */
    private static final int MAX_REPLICAS = 64;

    private final HeatSwitches switches;
    private final IEndpointSnitch snitch;
    private final IEndpointSnitch stock;
    private final DeadNodes dead;
    private final GroupPlans plans;
    private final DoubleSupplier random;
    private final SteadyDraws steady;
    private final LongSupplier nanoClock;
    private final LongAdder unchanged = new LongAdder();
    private final HeavyHitters heavyHitters = new HeavyHitters();

    /**
     * @param snitch the operator's own
     * @param stock the one by which the node would order replicas without the plugin
     * @param random numbers in [0, 1), for any thread
     * @param steady those by which the pages of a scan are drawn but the first
     */
    ReplicaOrdering(
            HeatSwitches switches,
            IEndpointSnitch snitch,
            IEndpointSnitch stock,
            DeadNodes dead,
            GroupPlans plans,
            DoubleSupplier random,
            SteadyDraws steady,
            LongSupplier nanoClock) {
        this.switches = switches;
        this.snitch = snitch;
        this.stock = stock;
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
     * Reads whose replicas were not drawn since the node started: the heats gave no plan, or the partition is heavy,
     * the heats are equal and the operator's order begins with this node.
     */
    long unchangedReads() {
        return unchanged.sum();
    }

    /**
     * The replicas in the order of contact, or null if their heat has nothing to say of it: it is not known of all of
     * this datacenter, the feature is switched off, or no statement in progress reads single partitions.
     *
     * @param coordinator this node
     * @param undrawn makes the order out of the operator's where heat is known and none is to be drawn: the replicas
     *     are equally warm, or all are contacted
     */
    public EndpointsForToken order(
            InetAddressAndPort coordinator,
            EndpointsForToken replicas,
            BiFunction<InetAddressAndPort, EndpointsForToken, EndpointsForToken> undrawn) {
        if (!switches.enabled().isOn()) {
            return null;
        }
        ReadContext context = ReadContext.current();
        if (!context.isActive() || !isOrdered(context, replicas)) {
            return null;
        }
        GroupPlan plan = currentPlan(context, replicas);
        // The pages of one scan are read by one client, and no reason to change its replicas.
        boolean isHeavy = plan.spreadsHeavyHitters() && !context.goesOn() && saw(context, replicas);
        if (!plan.datacenters.isEmpty() && !(isHeavy && plan.haveEqualHeats() && isFirst(coordinator, replicas))) {
            return draw(context, coordinator, replicas, plan, isHeavy);
        }
        unchanged.increment();
        return plan.knowsHeat ? undrawn.apply(coordinator, operatorsOrder(context, coordinator, replicas, plan)) : null;
    }

    /**
     * The operator's order. The dynamic snitch would leave out one of these replicas for good that was slow once, which
     * the guard uses again. Those of other datacenters are in the order that they have without the plugin, in the
     * places of all of them: of theirs neither heat nor the guard knows which is nearer.
     */
    private EndpointsForToken operatorsOrder(
            ReadContext context, InetAddressAndPort coordinator, EndpointsForToken replicas, GroupPlan plan) {
        EndpointsForToken inOrder = snitch.sortedByProximity(coordinator, replicas);
        if (stock == snitch || !plan.reachesFar) {
            return inOrder;
        }
        EndpointsForToken asStock = stock.sortedByProximity(coordinator, replicas);
        String here = snitch.getDatacenter(coordinator);
        int[] places = context.placesOf(replicas.size());
        int far = 0;
        for (int place = 0; place < replicas.size(); place++) {
            Replica replica = inOrder.get(place);
            if (!here.equals(snitch.getDatacenter(replica.endpoint()))) {
                while (here.equals(snitch.getDatacenter(asStock.get(far).endpoint()))) {
                    far++;
                }
                replica = asStock.get(far++);
            }
            places[Rearranged.indexOf(replica, replicas)] = place;
        }
        return context.permuted(replicas);
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
            GroupPlan plan,
            boolean isHeavy) {
        List<DatacenterPlan> datacenters = plan.datacenters;
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
            // Replicas of other datacenters follow in the order that they have without the plugin. Where the level
            // contacts none of them, Cassandra drops all that follow, as it does dead replicas: in any order.
            placeMissing(
                    replicas,
                    plan.reachesFar ? stock.sortedByProximity(coordinator, replicas) : replicas,
                    drawn,
                    places);
        }
        return context.permuted(replicas);
    }

    /** Gives those replicas a place that have none among the first ones. */
    private static void placeMissing(EndpointsForToken replicas, EndpointsForToken inOrder, int drawn, int[] places) {
        int next = drawn;
        for (int i = 0; i < inOrder.size(); i++) {
            int index = Rearranged.indexOf(inOrder.get(i), replicas);
            if (places[index] == Permutation.NO_PLACE) {
                places[index] = next++;
            }
        }
    }
}
