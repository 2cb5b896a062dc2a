// SPDX-License-Identifier: Apache-2.0
package dev.isotherm;

import dev.isotherm.cassandra.feature.Feature;
import dev.isotherm.cassandra.runtime.Failures;
import dev.isotherm.cassandra.runtime.Idleness;
import dev.isotherm.cassandra.runtime.NodeSettings;
import dev.isotherm.cassandra.runtime.PeriodicTask;
import dev.isotherm.cassandra.runtime.StatementInterceptor;
import dev.isotherm.cassandra.version.CassandraVersion;
import dev.isotherm.cassandra.views.CountsTable;
import dev.isotherm.cassandra.views.IsothermMetrics;
import dev.isotherm.cassandra.views.NodeHeat;
import dev.isotherm.cassandra.views.RolloutTable;
import dev.isotherm.cassandra.views.SettingsTable;
import dev.isotherm.cassandra.views.ViewsKeyspace;
import dev.isotherm.cassandra.wire.Wire;
import dev.isotherm.cassandra.wire.WireHandlers;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.virtual.VirtualKeyspace;
import org.apache.cassandra.db.virtual.VirtualKeyspaceRegistry;
import org.apache.cassandra.db.virtual.VirtualTable;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts each feature of a node independently, and their shared parts: the wire, the views and the threads of their
 * tasks.
 */
final class FeatureStart {
    private static final long SECOND_MILLIS = 1000;

    private static final Logger logger = LoggerFactory.getLogger("dev.isotherm");

    private final List<Feature> features;
    private final CassandraVersion version;
    private final Failures failures;
    private final NodeSettings settings;
    private final Function<InetAddressAndPort, NodeHeat> heat;
    private final Supplier<Wire> wires;
    private final AtomicBoolean begun = new AtomicBoolean();
    private final Idleness idleness;

    /** @param heat what is known of a node's heat, for operators */
    FeatureStart(
            List<Feature> features,
            CassandraVersion version,
            Failures failures,
            NodeSettings settings,
            Function<InetAddressAndPort, NodeHeat> heat) {
        this(features, version, failures, settings, heat, () -> new Wire(version, failures));
    }

    /** @param wires makes what carries the features' values */
    FeatureStart(
            List<Feature> features,
            CassandraVersion version,
            Failures failures,
            NodeSettings settings,
            Function<InetAddressAndPort, NodeHeat> heat,
            Supplier<Wire> wires) {
        this.features = features;
        this.version = version;
        this.failures = failures;
        this.settings = settings;
        this.heat = heat;
        this.wires = wires;
        this.idleness = new Idleness(
                features.stream().map(Feature::enabled).collect(Collectors.toList()),
                () -> 2 * longestTimeoutNanos(),
                System::nanoTime,
                this::resume);
    }

    private void resume() {
        features.forEach(feature ->
                attempt("The feature " + feature.name() + " goes on from what it has seen long ago", feature::resume));
    }

    /** The longest timeout of the requests that features take part in. */
    private static long longestTimeoutNanos() {
        return LongStream.of(
                        DatabaseDescriptor.getReadRpcTimeout(TimeUnit.NANOSECONDS),
                        DatabaseDescriptor.getWriteRpcTimeout(TimeUnit.NANOSECONDS),
                        DatabaseDescriptor.getCounterWriteRpcTimeout(TimeUnit.NANOSECONDS))
                .max()
                .getAsLong();
    }

    /** The features' interceptors of statements. Cassandra ends a process whose query handler cannot be made. */
    List<StatementInterceptor> interceptors() {
        List<StatementInterceptor> interceptors = new ArrayList<>();
        for (Feature feature : features) {
            attempt(
                    "Statements are executed without what the feature " + feature.name() + " does",
                    () -> feature.interceptor().ifPresent(interceptors::add));
        }
        return interceptors;
    }

    /** Whether the plugin does nothing at present. */
    boolean isIdle() {
        return idleness.isIdle();
    }

    /** Starts the features; does nothing the second time. Never throws. */
    void once() {
        // The gossiper starts again when gossip is switched off and on (nodetool disablegossip, enablegossip).
        if (!begun.compareAndSet(false, true)) {
            return;
        }
        Wire wire;
        try {
            wire = wires.get();
        } catch (RuntimeException | LinkageError | AssertionError e) {
            features.forEach(feature -> feature.enabled()
                    .breakOff("the plugin could not start on this node; mend what its log says, and restart it"));
            failures.record("The plugin is switched off on this node: it could not start", e);
            return;
        }
        wire.restWhile(idleness::isIdle);
        List<Feature> started = startEach(wire);
        attempt("The plugin neither tells other nodes anything nor hears them", wire::open);
        attempt("The plugin's virtual tables are missing on this node", () -> register(wire, started));
        attempt(
                "The plugin's metrics are missing on this node",
                () -> IsothermMetrics.register(counts(features, wire, failures)));
        attempt("What the plugin does now and then is not done on this node", () -> schedule(wire, started));
        logger.info("Isotherm for Cassandra {} started: {}", version.releaseLine(), settingsAsText());
    }

    /**
     * Starts each feature independently and returns those that started. A feature that cannot start is switched off
     * alone.
     */
    List<Feature> startEach(Wire wire) {
        List<Feature> started = new ArrayList<>();
        for (Feature feature : features) {
            try {
                WireHandlers handlers = new WireHandlers();
                feature.start(handlers);
                wire.install(handlers);
                started.add(feature);
            } catch (RuntimeException | LinkageError | AssertionError e) {
                feature.enabled()
                        .breakOff("the feature could not start on this node; mend what its log says, and restart it");
                failures.record(
                        "The feature " + feature.name() + " is switched off on this node: it could not start", e);
            }
        }
        return started;
    }

    private void attempt(String whenItFails, Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | LinkageError | AssertionError e) {
            failures.record(whenItFails, e);
        }
    }

    private void register(Wire wire, List<Feature> started) {
        if (ViewsKeyspace.isHidden()) {
            logger.error(
                    "The keyspace {} hides Isotherm's virtual tables, which cannot be read, nor settings changed, on any"
                            + " node; copy what is in it to another keyspace and drop it",
                    ViewsKeyspace.NAME);
        }
        List<VirtualTable> tables = new ArrayList<>();
        tables.add(new SettingsTable(ViewsKeyspace.NAME, settings));
        tables.add(new CountsTable(ViewsKeyspace.NAME, counts(features, wire, failures)));
        tables.add(new RolloutTable(ViewsKeyspace.NAME, heat));
        started.forEach(feature -> tables.addAll(feature.views(ViewsKeyspace.NAME)));
        VirtualKeyspaceRegistry.instance.register(new VirtualKeyspace(ViewsKeyspace.NAME, tables));
    }

    private String settingsAsText() {
        return settings.entries().stream()
                .map(setting -> setting.name() + " " + setting.value())
                .collect(Collectors.joining(", "));
    }

    /** The counts of the features and of what they share, by their names in metrics and {@code isotherm.counts}. */
    static Map<String, LongSupplier> counts(List<Feature> features, Wire wire, Failures failures) {
        Map<String, LongSupplier> counts = new LinkedHashMap<>();
        features.forEach(feature -> counts.putAll(feature.counts()));
        counts.put("MessagesMalformed", wire::unreadable);
        counts.put("Failures", failures::count);
        return counts;
    }

    private void schedule(Wire wire, List<Feature> started) {
        List<PeriodicTask> tasks =
                started.stream().flatMap(feature -> feature.tasks().stream()).collect(Collectors.toList());
        tasks.add(new PeriodicTask(
                SECOND_MILLIS,
                "Whether all features are off was not looked at; the next time is in a second",
                idleness::look));
        tasks.add(new PeriodicTask(
                SECOND_MILLIS, "A node that left is remembered until it leaves again", wire::forgetDeparted));
        tasks.add(PeriodicTask.onItsOwnThread(
                "Isotherm-gossip", 100, "Other nodes are not told yet what they may hear now", wire::publishHeld));
        tasks.stream()
                .collect(Collectors.groupingBy(PeriodicTask::thread, LinkedHashMap::new, Collectors.toList()))
                .forEach(this::schedule);
    }

    private void schedule(String name, List<PeriodicTask> ofThread) {
        ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        });
        ofThread.stream()
                .collect(Collectors.groupingBy(PeriodicTask::periodMillis, LinkedHashMap::new, Collectors.toList()))
                .values()
                .forEach(tasks -> new TaskRound(executor, tasks, idleness::isIdle, failures).begin());
    }
}
