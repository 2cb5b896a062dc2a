// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.views;

import com.codahale.metrics.Gauge;
import java.util.Map;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import javax.management.ObjectName;
import org.apache.cassandra.metrics.CassandraMetricsRegistry;
import org.apache.cassandra.metrics.CassandraMetricsRegistry.MetricName;

/** The plugin's metrics, in Cassandra's registry and so in JMX, as {@code type=Isotherm}. */
public final class IsothermMetrics {
    private static final String GROUP = "org.apache.cassandra.metrics";
    private static final String TYPE = "Isotherm";

    private IsothermMetrics() {}

    /** Registers the counts of the node, each under its name. */
    public static void register(Map<String, LongSupplier> counts) {
        counts.forEach((name, count) ->
                CassandraMetricsRegistry.Metrics.register(name(name, null), (Gauge<Long>) count::getAsLong));
    }

    /** Registers a gauge of one of several objects of a kind; the scope distinguishes them. */
    public static void register(String name, String scope, DoubleSupplier value) {
        CassandraMetricsRegistry.Metrics.register(name(name, scope), (Gauge<Double>) value::getAsDouble);
    }

    /** Removes the metric of that name and scope. */
    public static void remove(String name, String scope) {
        CassandraMetricsRegistry.Metrics.remove(name(name, scope));
    }

    private static MetricName name(String name, String scope) {
        return new MetricName(GROUP, TYPE, name, scope, mbeanName(name, scope));
    }

    private static String mbeanName(String name, String scope) {
        // The colon of a port has its own meaning in a JMX name, so the scope is quoted.
        String quoted = scope == null ? "" : ",scope=" + ObjectName.quote(scope);
        return GROUP + ":type=" + TYPE + quoted + ",name=" + name;
    }
}
