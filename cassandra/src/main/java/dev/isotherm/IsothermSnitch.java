// SPDX-License-Identifier: Apache-2.0
package dev.isotherm;

import dev.isotherm.cassandra.guard.GuardFeature;
import dev.isotherm.cassandra.guard.GuardedReads;
import dev.isotherm.cassandra.heat.HeatFeature;
import dev.isotherm.cassandra.heat.ReplicaOrdering;
import dev.isotherm.cassandra.limit.LimitFeature;
import dev.isotherm.cassandra.limit.SpreadReads;
import dev.isotherm.cassandra.queue.LeaderSteering;
import dev.isotherm.cassandra.queue.QueueFeature;
import java.util.Comparator;
import java.util.Set;
import java.util.function.BiFunction;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.apache.cassandra.locator.EndpointsForToken;
import org.apache.cassandra.locator.IEndpointSnitch;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.Replica;
import org.apache.cassandra.locator.ReplicaCollection;
import org.apache.cassandra.utils.Sortable;

/**
 * The snitch to name in {@code endpoint_snitch}. It wraps the operator's own snitch, which {@code isotherm.yaml} names.
 * It orders replicas as Cassandra's dynamic snitch above that one does, and deviates from both in these points alone,
 * each while its feature is on:
 *
 * <ul>
 *   <li>The replicas of a single-partition read in this node's datacenter are ordered by their heat; where they are
 *       equally warm, or a read contacts all of them, by the operator's snitch alone.
 *   <li>Where heat does not order them, the reads of a large partition are spread over replicas among which the
 *       operator's snitch has no preference.
 *   <li>Avoided replicas come last, whoever ordered them, and neighbouring ranges are not merged into one read that
 *       would contact an avoided replica which neither range's own read contacts.
 *   <li>While Cassandra picks the leader of a counter update, a replica that must not lead is in no datacenter.
 * </ul>
 */
public final class IsothermSnitch implements IEndpointSnitch {
    /**
     * No datacenter: the snitch's answer for replicas that must not lead a counter update, while Cassandra picks its
     * leader.
     */
    private static final String NOT_TO_LEAD = "";

    private final Installation installation;
    private final IEndpointSnitch operatorSnitch;
    /** The one by which this node would order replicas without the plugin. */
    private final IEndpointSnitch stockSnitch;
    /** Null if the plugin stays out of the way. */
    private final Isotherm isotherm;
    /** Null if the heat feature is not available. */
    private final ReplicaOrdering ordering;
    /** Null if the limit feature is not available. */
    private final SpreadReads spreadReads;
    /** Null if the queue feature is not available. */
    private final LeaderSteering steering;
    /** Null if the guard feature is not available. */
    private final GuardedReads guardedReads;

    private final BiFunction<InetAddressAndPort, EndpointsForToken, EndpointsForToken> spread = this::spread;

    /**
     * Called by Cassandra at start-up; throws an exception whose cause is a ConfigurationException that names the
     * mistake.
     */
    public IsothermSnitch() {
        try {
            installation = Installation.inThisProcess();
        } catch (ConfigurationException mistake) {
            throw StartupChecks.asCause(mistake);
        }
        operatorSnitch = installation.operatorSnitch();
        stockSnitch = installation.stockSnitch();
        isotherm = installation.isotherm().orElse(null);
        ordering = installation
                .isotherm()
                .flatMap(Isotherm::heat)
                .map(HeatFeature::ordering)
                .orElse(null);
        spreadReads = installation
                .isotherm()
                .flatMap(Isotherm::limit)
                .map(LimitFeature::spreadReads)
                .orElse(null);
        steering = installation
                .isotherm()
                .flatMap(Isotherm::queue)
                .map(QueueFeature::steering)
                .orElse(null);
        guardedReads = installation
                .isotherm()
                .flatMap(Isotherm::guard)
                .map(GuardFeature::reads)
                .orElse(null);
    }

    /** The plugin's parts in this process. */
    Installation installation() {
        return installation;
    }

    @Override
    public <C extends ReplicaCollection<? extends C>> C sortedByProximity(InetAddressAndPort address, C replicas) {
        if (isotherm == null || isotherm.isIdle()) {
            return stockSnitch.sortedByProximity(address, replicas);
        }
        C ordered = unguarded(address, replicas);
        return guardedReads == null ? ordered : guarded(ordered);
    }

    private <C extends ReplicaCollection<? extends C>> C guarded(C ordered) {
        try {
            return guardedReads.guarded(ordered);
        } catch (RuntimeException | LinkageError | AssertionError e) {
            isotherm.failures().record("A read contacts its replicas in an order that the guard has not seen", e);
            return ordered;
        }
    }

    private <C extends ReplicaCollection<? extends C>> C unguarded(InetAddressAndPort address, C replicas) {
        if (ordering != null && replicas instanceof EndpointsForToken) {
            EndpointsForToken ordered = byHeat(address, (EndpointsForToken) replicas);
            if (ordered != null) {
                @SuppressWarnings("unchecked") // C is EndpointsForToken, the type of the argument
                C result = (C) ordered;
                return result;
            }
        }
        return spread(address, stockSnitch.sortedByProximity(address, replicas));
    }

    private <C extends ReplicaCollection<? extends C>> C spread(InetAddressAndPort address, C inOrder) {
        if (spreadReads == null || !(inOrder instanceof EndpointsForToken)) {
            return inOrder;
        }
        try {
            @SuppressWarnings("unchecked") // C is EndpointsForToken, the type of the argument
            C result = (C) spreadReads.spread(address, (EndpointsForToken) inOrder);
            return result;
        } catch (RuntimeException | LinkageError | AssertionError e) {
            isotherm.failures().record("A read of a large partition keeps the order of its replicas", e);
            return inOrder;
        }
    }

    private EndpointsForToken byHeat(InetAddressAndPort address, EndpointsForToken replicas) {
        try {
            return ordering.order(address, replicas, spread);
        } catch (RuntimeException | LinkageError | AssertionError e) {
            isotherm.failures().record("A read keeps the order that its replicas have without the plugin", e);
            return null;
        }
    }

    @Override
    public void gossiperStarting() {
        operatorSnitch.gossiperStarting();
        installation.isotherm().ifPresent(Isotherm::start);
    }

    @Override
    public String getRack(InetAddressAndPort endpoint) {
        return operatorSnitch.getRack(endpoint);
    }

    @Override
    public String getDatacenter(InetAddressAndPort endpoint) {
        return operatorSnitch.getDatacenter(endpoint);
    }

    @Override
    public String getDatacenter(Replica replica) {
        return steering != null && steering.isPassedOver(replica) ? NOT_TO_LEAD : operatorSnitch.getDatacenter(replica);
    }

    @Override
    public String getLocalRack() {
        return operatorSnitch.getLocalRack();
    }

    @Override
    public String getLocalDatacenter() {
        return operatorSnitch.getLocalDatacenter();
    }

    @Override
    public int compareEndpoints(InetAddressAndPort target, Replica r1, Replica r2) {
        return operatorSnitch.compareEndpoints(target, r1, r2);
    }

    @Override
    public boolean isWorthMergingForRangeQuery(
            ReplicaCollection<?> merged, ReplicaCollection<?> l1, ReplicaCollection<?> l2) {
        return stockSnitch.isWorthMergingForRangeQuery(merged, l1, l2) && mayMerge(merged, l1, l2);
    }

    private boolean mayMerge(ReplicaCollection<?> merged, ReplicaCollection<?> l1, ReplicaCollection<?> l2) {
        try {
            return guardedReads == null || guardedReads.mayMerge(merged, l1, l2);
        } catch (RuntimeException | LinkageError | AssertionError e) {
            isotherm.failures().record("Reads of two ranges become one as without the plugin", e);
            return true;
        }
    }

    @Override
    public boolean validate(Set<String> datacenters, Set<String> racks) {
        return operatorSnitch.validate(datacenters, racks);
    }

    /** Called by Cassandra 6.0: whether nodes of one datacenter use local addresses. */
    public boolean preferLocalConnections() {
        return LaterSnitchMethods.preferLocalConnections(operatorSnitch);
    }

    /** Called by Cassandra 6.0: sets the addresses of a node in a cloud. */
    public void configureAddresses() {
        LaterSnitchMethods.configureAddresses(operatorSnitch);
    }

    /** Called by Cassandra 6.0: whether the snitch orders nodes too, without which Accord does not start. */
    public boolean supportCompareByEndpoint() {
        return LaterSnitchMethods.supportCompareByEndpoint(operatorSnitch);
    }

    /** Called by Cassandra 6.0: the order of nodes for Accord's transactions. */
    public Comparator<?> endpointComparator(InetAddressAndPort address, Sortable addresses) {
        return LaterSnitchMethods.endpointComparator(operatorSnitch, address, addresses);
    }
}
