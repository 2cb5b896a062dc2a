// SPDX-License-Identifier: Apache-2.0
package dev.isotherm;

import dev.isotherm.cassandra.Isotherm;
import dev.isotherm.cassandra.config.ConfigFile;
import dev.isotherm.cassandra.config.IsothermConfig;
import dev.isotherm.cassandra.config.StartupChecks;
import dev.isotherm.cassandra.heat.ReadContext;
import dev.isotherm.cassandra.version.CassandraVersion;
import dev.isotherm.cassandra.version.CassandraVersions;
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

    /** Made by Cassandra at start-up; throws what has a ConfigurationException that names the mistake as its cause. */
    public IsothermSnitch() {
        try {
            config = ConfigFile.load();
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
    }

    /** What {@code isotherm.yaml} said when the node started. */
    public IsothermConfig config() {
        return config;
    }

    /** The plugin; empty when it does not know the Cassandra it runs in. */
    public Optional<Isotherm> isotherm() {
        return Optional.ofNullable(isotherm);
    }

    @Override
    public <C extends ReplicaCollection<? extends C>> C sortedByProximity(InetAddressAndPort address, C replicas) {
        if (isotherm != null
                && replicas instanceof EndpointsForToken
                && isotherm.heat().switches().isEnabled()) {
            ReadContext context = ReadContext.current();
            if (context.isActive()) {
                EndpointsForToken ordered = byHeat(context, address, (EndpointsForToken) replicas);
                if (ordered != null) {
                    @SuppressWarnings("unchecked") // C is EndpointsForToken: it is what came in
                    C result = (C) ordered;
                    return result;
                }
            }
        }
        return operatorSnitch.sortedByProximity(address, replicas);
    }

    private EndpointsForToken byHeat(ReadContext context, InetAddressAndPort address, EndpointsForToken replicas) {
        try {
            return isotherm.heat().ordering().order(context, address, replicas);
        } catch (RuntimeException | LinkageError e) {
            isotherm.failures().record("A read keeps the operator's order of replicas", e);
            return null;
        }
    }

    @Override
    public void gossiperStarting() {
        operatorSnitch.gossiperStarting();
        if (isotherm != null) {
            try {
                isotherm.start();
            } catch (RuntimeException | LinkageError e) {
                isotherm.heat().switches().setEnabled(false);
                isotherm.failures().record("Isotherm could not start and is switched off", e);
            }
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
        return isotherm != null && isotherm.leaders().steering().isPassedOver(replica)
                ? NOT_TO_LEAD
                : operatorSnitch.getDatacenter(replica);
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
