// SPDX-License-Identifier: Apache-2.0
package dev.isotherm;

import dev.isotherm.cassandra.config.ConfigFile;
import dev.isotherm.cassandra.heat.HeatFeature;
import dev.isotherm.cassandra.heat.ReplicaOrdering;
import dev.isotherm.cassandra.queue.LeaderSteering;
import dev.isotherm.cassandra.queue.QueueFeature;
import dev.isotherm.cassandra.version.CassandraVersion;
import java.util.Optional;
import java.util.Set;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.apache.cassandra.locator.EndpointsForToken;
import org.apache.cassandra.locator.IEndpointSnitch;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.Replica;
import org.apache.cassandra.locator.ReplicaCollection;
import org.apache.cassandra.utils.FBUtilities;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The snitch to name in {@code endpoint_snitch}: the operator's own snitch, with the replicas of single-partition reads
 * in the order of their heat.
 *
 * <p>Datacenters, racks and every other order come from the snitch that {@code isotherm.yaml} names.
 */
public final class IsothermSnitch implements IEndpointSnitch {
    private static final Logger logger = LoggerFactory.getLogger("dev.isotherm");

    /** No datacenter: what is told of replicas that are not to lead a counter update, while its leader is picked. */
    private static final String NOT_TO_LEAD = "";

    private final IsothermConfig config;
    private final IEndpointSnitch operatorSnitch;
    private final Isotherm isotherm;
    /** Null where heat is not there to be asked. */
    private final ReplicaOrdering ordering;
    /** Null where queues are not there to be asked. */
    private final LeaderSteering steering;

    /** Made by Cassandra at start-up; throws what has a ConfigurationException that names the mistake as its cause. */
    public IsothermSnitch() {
        try {
            config = IsothermConfig.read(ConfigFile.load());
            StartupChecks.check(config);
            operatorSnitch = StartupChecks.operatorSnitch(config.snitch());
        } catch (ConfigurationException mistake) {
            throw StartupChecks.asCause(mistake);
        }
        Optional<CassandraVersion> version = CassandraVersions.running();
        if (version.isEmpty()) {
            logger.warn(
                    "Isotherm does not know Cassandra {} and stays out of its way",
                    FBUtilities.getReleaseVersionString());
        }
        isotherm = version.map(v -> new Isotherm(config, v, operatorSnitch, FBUtilities.getBroadcastAddressAndPort()))
                .orElse(null);
        ordering = isotherm().flatMap(Isotherm::heat).map(HeatFeature::ordering).orElse(null);
        steering =
                isotherm().flatMap(Isotherm::queue).map(QueueFeature::steering).orElse(null);
    }

    /** What {@code isotherm.yaml} said when the node started. */
    IsothermConfig config() {
        return config;
    }

    /** The plugin; empty when it does not know the Cassandra it runs in. */
    Optional<Isotherm> isotherm() {
        return Optional.ofNullable(isotherm);
    }

    @Override
    public <C extends ReplicaCollection<? extends C>> C sortedByProximity(InetAddressAndPort address, C replicas) {
        if (ordering != null && replicas instanceof EndpointsForToken) {
            EndpointsForToken ordered = byHeat(address, (EndpointsForToken) replicas);
            if (ordered != null) {
                @SuppressWarnings("unchecked") // C is EndpointsForToken: it is what came in
                C result = (C) ordered;
                return result;
            }
        }
        return operatorSnitch.sortedByProximity(address, replicas);
    }

    private EndpointsForToken byHeat(InetAddressAndPort address, EndpointsForToken replicas) {
        try {
            return ordering.order(address, replicas);
        } catch (RuntimeException | LinkageError e) {
            isotherm.failures().record("A read keeps the operator's order of replicas", e);
            return null;
        }
    }

    @Override
    public void gossiperStarting() {
        operatorSnitch.gossiperStarting();
        if (isotherm != null) {
            isotherm.start();
        }
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
        return operatorSnitch.isWorthMergingForRangeQuery(merged, l1, l2);
    }

    @Override
    public boolean validate(Set<String> datacenters, Set<String> racks) {
        return operatorSnitch.validate(datacenters, racks);
    }
}
