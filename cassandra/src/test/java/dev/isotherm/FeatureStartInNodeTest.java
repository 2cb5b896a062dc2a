// SPDX-License-Identifier: Apache-2.0
package dev.isotherm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.codahale.metrics.Gauge;
import dev.isotherm.cassandra.feature.Feature;
import dev.isotherm.cassandra.innode.NodeInProcess;
import dev.isotherm.cassandra.runtime.Failures;
import dev.isotherm.cassandra.runtime.NodeSettings;
import dev.isotherm.cassandra.runtime.PeriodicTask;
import dev.isotherm.cassandra.runtime.RuntimeSetting;
import dev.isotherm.cassandra.runtime.RuntimeSwitch;
import dev.isotherm.cassandra.runtime.StatementInterceptor;
import dev.isotherm.cassandra.version50.Cassandra50;
import dev.isotherm.cassandra.views.NodeHeat;
import dev.isotherm.cassandra.wire.WireHandlers;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.virtual.AbstractVirtualTable;
import org.apache.cassandra.db.virtual.SimpleDataSet;
import org.apache.cassandra.db.virtual.VirtualKeyspaceRegistry;
import org.apache.cassandra.db.virtual.VirtualTable;
import org.apache.cassandra.metrics.CassandraMetricsRegistry;
import org.apache.cassandra.schema.KeyspaceMetadata;
import org.apache.cassandra.schema.KeyspaceParams;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.schema.Tables;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The start of several features, one of which cannot start. */
class FeatureStartInNodeTest {
    private final Failures failures = new Failures();
    private final List<String> started = new ArrayList<>();

    @BeforeAll
    static void begin() throws IOException {
        NodeInProcess.begin();
    }

    /** A feature that records its start and the runs of its task. */
    private final class Saying implements Feature {
        private final String name;
        private final Throwable fault;
        private final RuntimeSwitch enabled = new RuntimeSwitch(true);
        final CountDownLatch ran = new CountDownLatch(3);
        boolean hasViews = true;
        final StatementInterceptor interceptor = scope -> {};

        Saying(String name, Throwable fault) {
            this.name = name;
            this.fault = fault;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public RuntimeSwitch enabled() {
            return enabled;
        }

        @Override
        public void start(WireHandlers handlers) {
            if (fault instanceof RuntimeException) {
                throw (RuntimeException) fault;
            }
            if (fault != null) {
                throw (Error) fault;
            }
            started.add(name);
        }

        @Override
        public List<PeriodicTask> tasks() {
            return List.of(new PeriodicTask(20, name + " did not run", () -> {
                // Its thread goes on until the process ends, and is to take nothing from the tests after this one.
                if (ran.getCount() == 0) {
                    return;
                }
                ran.countDown();
                throw new IllegalStateException("in every run");
            }));
        }

        @Override
        public Optional<StatementInterceptor> interceptor() {
            if (fault != null) {
                throw sneaky(fault);
            }
            return Optional.of(interceptor);
        }

        @Override
        public List<RuntimeSetting> settings() {
            return List.of(enabled.setting(name + ".enabled"));
        }

        @Override
        public List<VirtualTable> views(String keyspace) {
            if (!hasViews) {
                throw new AssertionError("no views");
            }
            TableMetadata table = TableMetadata.builder(keyspace, "of_" + name)
                    .kind(TableMetadata.Kind.VIRTUAL)
                    .addPartitionKeyColumn("k", UTF8Type.instance)
                    .build();
            return List.of(new AbstractVirtualTable(table) {
                @Override
                public DataSet data() {
                    return new SimpleDataSet(metadata());
                }
            });
        }

        @Override
        public Map<String, LongSupplier> counts() {
            return Map.of("Said" + name, () -> 7);
        }
    }

    private FeatureStart startOf(Saying... features) {
        List<Saying> all = List.of(features);
        return new FeatureStart(
                List.copyOf(all), new Cassandra50(), failures, settingsOf(all), node -> NodeHeat.UNKNOWN);
    }

    private static NodeSettings settingsOf(List<Saying> features) {
        List<RuntimeSetting> all = features.stream()
                .flatMap(feature -> feature.settings().stream())
                .collect(Collectors.toList());
        return new NodeSettings(all, kept -> {}, () -> 0);
    }

    private static String setting(Saying feature) {
        return feature.settings().get(0).value();
    }

    private static List<String> views() {
        return VirtualKeyspaceRegistry.instance.getKeyspaceNullable("isotherm").tables().stream()
                .map(table -> table.metadata().name)
                .sorted()
                .collect(Collectors.toList());
    }

    @Test
    void oneThatCannotStartIsSwitchedOffAlone() throws InterruptedException {
        for (Throwable fault : new Throwable[] {
            new IllegalStateException("broken"), new NoSuchFieldError("GONE"), new AssertionError("never")
        }) {
            started.clear();
            Saying first = new Saying("first", null);
            Saying broken = new Saying("broken", fault);
            Saying last = new Saying("last", null);
            long before = failures.count();
            startOf(first, broken, last).once();
            assertEquals(List.of("first", "last"), started);
            assertTrue(first.enabled().isOn() && last.enabled().isOn());
            assertFalse(broken.enabled().isOn());
            assertEquals("false", setting(broken));
            assertThrows(
                    IllegalArgumentException.class,
                    () -> broken.settings().get(0).change("true"));
            assertTrue(failures.count() > before);
            assertEquals(List.of("counts", "of_first", "of_last", "rollout", "settings"), views());
            assertTrue(last.ran.await(10, TimeUnit.SECONDS), "a task that throws is run again");
            assertEquals(3, broken.ran.getCount(), "what did not start is not run");
        }
    }

    /** Cassandra ends a process whose query handler cannot be made. */
    @Test
    void statementsAreExecutedWithoutAnInterceptorThatCannotBeMade() {
        for (Throwable fault : new Throwable[] {
            new IllegalStateException("broken"), new NoSuchFieldError("GONE"), new AssertionError("never")
        }) {
            Saying first = new Saying("first", null);
            Saying last = new Saying("last", null);
            long before = failures.count();
            List<StatementInterceptor> made =
                    startOf(first, new Saying("broken", fault), last).interceptors();
            assertEquals(List.of(first.interceptor, last.interceptor), made);
            assertEquals(before + 1, failures.count());
        }
    }

    @Test
    void withoutWhatCarriesTheirValuesAllAreOff() {
        List<String> lines = new ArrayList<>();
        for (Throwable fault :
                new Throwable[] {new IllegalStateException("broken"), new NoSuchFieldError("GONE"), new AssertionError()
                }) {
            List<Saying> features =
                    List.of(new Saying("first", null), new Saying("second", null), new Saying("third", null));
            long before = failures.count();
            FeatureStart start = new FeatureStart(
                    List.copyOf(features),
                    new Cassandra50(),
                    failures,
                    settingsOf(features),
                    node -> NodeHeat.UNKNOWN,
                    () -> {
                        throw sneaky(fault);
                    });
            lines.addAll(LogLines.of("dev.isotherm", start::once));
            assertEquals(List.of(), started);
            for (Saying feature : features) {
                assertFalse(feature.enabled().isOn(), feature.name());
                assertEquals("false", setting(feature));
                assertEquals(3, feature.ran.getCount(), "what did not start is not run");
            }
            assertEquals(before + 1, failures.count());
        }
        assertTrue(
                lines.stream()
                        .anyMatch(
                                line -> line.startsWith("The plugin is switched off on this node: it could not start")),
                lines::toString);
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> RuntimeException sneaky(Throwable fault) throws T {
        throw (T) fault;
    }

    @Test
    void theLogSaysWhichFeatureIsOff() {
        // A name that no other test uses: each sentence is logged at most once a minute.
        Saying broken = new Saying("unlucky", new IllegalStateException("no such thing"));
        List<String> lines = LogLines.of(
                "dev.isotherm", () -> startOf(new Saying("well", null), broken).once());
        assertTrue(
                lines.stream()
                        .anyMatch(line -> line.startsWith(
                                "The feature unlucky is switched off on this node: it could not start")),
                lines::toString);
        assertTrue(
                lines.contains("Isotherm for Cassandra 5.0 started: well.enabled true, unlucky.enabled false"),
                lines::toString);
    }

    /** As one that was there before the plugin was. */
    @Test
    void theLogSaysThatAKeyspaceHidesTheViews() {
        Saying feature = new Saying("hidden", null);
        String line = "The keyspace isotherm hides Isotherm's virtual tables";
        Schema.instance.transform(keyspaces -> keyspaces.withAddedOrUpdated(
                KeyspaceMetadata.create("isotherm", KeyspaceParams.simple(1), Tables.none())));
        try {
            List<String> lines =
                    LogLines.of("dev.isotherm", () -> startOf(feature).once());
            assertTrue(lines.stream().anyMatch(each -> each.startsWith(line)), lines::toString);
        } finally {
            Schema.instance.transform(keyspaces -> keyspaces.without("isotherm"));
        }
        List<String> lines = LogLines.of("dev.isotherm", () -> startOf(feature).once());
        assertFalse(lines.stream().anyMatch(each -> each.startsWith(line)), lines::toString);
    }

    @Test
    void whatFailsAfterTheStartIsMissingAlone() throws InterruptedException {
        Saying feature = new Saying("viewless", null);
        feature.hasViews = false;
        long before = failures.count();
        startOf(feature).once();
        assertTrue(failures.count() > before);
        assertTrue(feature.ran.await(10, TimeUnit.SECONDS), "its tasks run");
    }

    @Test
    void aSecondStartDoesNothing() {
        Saying feature = new Saying("first", null);
        FeatureStart start = startOf(feature);
        start.once();
        start.once();
        assertEquals(List.of("first"), started);
    }

    @Test
    void whatFeaturesCountIsAMetricOfTheNode() {
        startOf(new Saying("Counting", null)).once();
        Object metric = CassandraMetricsRegistry.Metrics.getMetrics().entrySet().stream()
                .filter(each -> each.getKey().contains("Isotherm.SaidCounting"))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElseThrow();
        assertEquals(7L, ((Gauge<?>) metric).getValue());
    }
}
