// SPDX-License-Identifier: Apache-2.0
package dev.isotherm;

import dev.isotherm.cassandra.config.KeptFile;
import dev.isotherm.cassandra.feature.Feature;
import dev.isotherm.cassandra.guard.GuardFeature;
import dev.isotherm.cassandra.heat.HeatFeature;
import dev.isotherm.cassandra.limit.LimitFeature;
import dev.isotherm.cassandra.queue.QueueFeature;
import dev.isotherm.cassandra.runtime.CutReads;
import dev.isotherm.cassandra.runtime.DiskWaits;
import dev.isotherm.cassandra.runtime.Failures;
import dev.isotherm.cassandra.runtime.NodeSettings;
import dev.isotherm.cassandra.runtime.RuntimeSetting;
import dev.isotherm.cassandra.runtime.StatementInterceptor;
import dev.isotherm.cassandra.version.CassandraVersion;
import dev.isotherm.cassandra.views.NodeHeat;
import dev.isotherm.cassandra.warming.WarmingFeature;
import dev.isotherm.guard.ReplicaStatus;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.apache.cassandra.locator.EndpointsForToken;
import org.apache.cassandra.locator.IEndpointSnitch;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.schema.TableId;

/** The plugin on one node: the list of its features, four of which the snitch uses. */
final class Isotherm {
    /** The features that a node has if each of them could be made. */
    private static final int ALL_FEATURES = 5;

    private final Failures failures = new Failures();
    private final List<Feature> features = new ArrayList<>();
    private final Optional<GuardFeature> guard;
    private final Optional<HeatFeature> heat;
    private final Optional<LimitFeature> limit;
    private final Optional<QueueFeature> queue;
    private final FeatureStart start;

    /**
     * @param snitch the operator's own snitch
     * @param stock the one by which the node would order replicas without the plugin
     */
    Isotherm(
            IsothermConfig config,
            CassandraVersion version,
            IEndpointSnitch snitch,
            IEndpointSnitch stock,
            InetAddressAndPort self) {
        // The guard comes first: an answer that another feature keeps from Cassandra has been counted by then.
        guard = made("guard", () -> new GuardFeature(config.guard(), version, snitch, self, this::cutReads, failures));
        heat = made(
                "heat",
                () -> new HeatFeature(
                        config.heat(), version, snitch, stock, self, this::guardOf, this::isAvoided, failures));
        limit = made("limit", () -> {
            long hashSeed = new SecureRandom().nextLong();
            return new LimitFeature(config.limit(), version, snitch, self, hashSeed, failures);
        });
        queue = made("queue", () -> new QueueFeature(config.queue(), version, snitch, self, failures));
        made(
                "warming",
                () -> new WarmingFeature(
                        config.warming(),
                        version,
                        snitch,
                        self,
                        this::timesPeers,
                        this::isAvoided,
                        this::isHome,
                        this::warmed,
                        heat.map(HeatFeature::copyWaits).orElse(DiskWaits.UNKNOWN),
                        failures));
        if (!StartupChecks.seesStatements()) {
            // Nothing but warming is enabled, as start-up would have ended otherwise; nor can it be later.
            features.forEach(feature -> feature.enabled().breakOff(StartupChecks.NO_STATEMENTS));
        }
        start = new FeatureStart(
                features, version, failures, settings(new KeptFile(config.keptSettings())), this::heatOf);
    }

    private CutReads cutReads() {
        return limit.isPresent() ? limit.get().cutReads() : CutReads.NONE;
    }

    private ReplicaStatus guardOf(InetAddressAndPort replica) {
        return guard.map(feature -> feature.statusOf(replica)).orElse(null);
    }

    /** @throws ConfigurationException at a mistake in the file of kept settings */
    private NodeSettings settings(KeptFile file) {
        List<RuntimeSetting> all = features.stream()
                .flatMap(feature -> feature.settings().stream())
                .collect(Collectors.toList());
        NodeSettings settings = new NodeSettings(all, file::write, System::currentTimeMillis);
        try {
            Map<String, String> kept = new TreeMap<>(file.read());
            if (features.size() < ALL_FEATURES) {
                // What was kept of a feature that could not be made waits for the next start.
                Map<String, String> waiting = new TreeMap<>(kept);
                waiting.keySet().removeIf(settings::has);
                settings.keepForLater(waiting);
                kept.keySet().removeAll(waiting.keySet());
            }
            settings.restore(kept);
        } catch (IllegalArgumentException e) {
            throw file.mistake(e.getMessage());
        }
        return settings;
    }

    private Map<TableId, Double> timesPeers() {
        return heat.map(HeatFeature::timesPeersOfRead).orElse(Map.of());
    }

    private boolean isAvoided(InetAddressAndPort replica) {
        return guard.map(feature -> feature.isAvoided(replica)).orElse(false);
    }

    private boolean isHome(InetAddressAndPort replica, EndpointsForToken replicas) {
        return heat.map(feature -> feature.isHome(replica, replicas)).orElse(true);
    }

    private void warmed(InetAddressAndPort node, Set<TableId> tables) {
        heat.ifPresent(feature -> feature.warmed(node, tables));
    }

    private NodeHeat heatOf(InetAddressAndPort node) {
        return heat.map(feature -> feature.heatOf(node)).orElse(NodeHeat.UNKNOWN);
    }

    private <F extends Feature> Optional<F> made(String name, Supplier<F> feature) {
        try {
            F made = feature.get();
            features.add(made);
            return Optional.of(made);
        } catch (RuntimeException | LinkageError | AssertionError e) {
            failures.record("The feature " + name + " is switched off on this node: it could not be made", e);
            return Optional.empty();
        }
    }

    /** Empty when it could not be made. */
    Optional<GuardFeature> guard() {
        return guard;
    }

    /** Empty when it could not be made. */
    Optional<HeatFeature> heat() {
        return heat;
    }

    /** Empty when it could not be made. */
    Optional<LimitFeature> limit() {
        return limit;
    }

    /** Empty when it could not be made. */
    Optional<QueueFeature> queue() {
        return queue;
    }

    List<Feature> features() {
        return Collections.unmodifiableList(features);
    }

    Failures failures() {
        return failures;
    }

    /** Whether nothing is done on this node, as all features are off. */
    boolean isIdle() {
        return start.isIdle();
    }

    /** The features' interceptors of statements; asked for once, when Cassandra is about to serve clients. */
    List<StatementInterceptor> interceptors() {
        return start.interceptors();
    }

    /**
     * Starts the features, when the gossiper exists and is about to start; does nothing the second time. Never throws.
     */
    void start() {
        start.once();
    }
}
