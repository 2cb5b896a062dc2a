// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.views;

import com.codahale.metrics.Gauge;
import dev.isotherm.cassandra.heat.HeatBalancing;
import dev.isotherm.heat.Heat;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.function.DoubleSupplier;
import javax.management.ObjectName;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.metrics.CassandraMetricsRegistry;
import org.apache.cassandra.metrics.CassandraMetricsRegistry.MetricName;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;

/**
 * The plugin's metrics, in Cassandra's registry and so in JMX, as {@code type=Isotherm}.
 *
 * <p>Per node: counts since it started. Per table and replica, as in the virtual table: scope
 * {@code keyspace.table.address}. Used by one thread once {@link #register} has returned.
 */
public final class HeatMetrics {
    private static final String GROUP = "org.apache.cassandra.metrics";
    private static final String TYPE = "Isotherm";
    private static final String[] REPLICA_GAUGES = {"Heat", "HeatAgeMillis", "ShareWanted", "ShareSent"};

    private final HeatBalancing heat;
    private final NodeCounts counts;
    /** Scope of each registered replica, and the table it belongs to. */
    private final Map<String, Replica> replicas = new HashMap<>();

    public HeatMetrics(HeatBalancing heat, NodeCounts counts) {
        this.heat = heat;
        this.counts = counts;
    }

    /** Registers the counts of the node. */
    public void register() {
        counts.byName()
                .forEach((name, count) ->
                        CassandraMetricsRegistry.Metrics.register(name(name, null), (Gauge<Long>) count::getAsLong));
    }

    /** Registers the gauges of replicas that appeared and removes those that are gone. */
    public void followReplicas() {
        for (TableId id : heat.board().tables()) {
            TableMetadata table = Schema.instance.getTableMetadata(id);
            if (table != null) {
                for (InetAddressAndPort node : heat.board().nodes(id)) {
                    String scope = table.keyspace + '.' + table.name + '.' + node.getHostAddressAndPort();
                    replicas.computeIfAbsent(scope, s -> registerReplica(s, new Replica(id, node)));
                }
            }
        }
        for (Iterator<Map.Entry<String, Replica>> all = replicas.entrySet().iterator(); all.hasNext(); ) {
            Map.Entry<String, Replica> each = all.next();
            if (!heat.board().nodes(each.getValue().table).contains(each.getValue().node)) {
                for (String gauge : REPLICA_GAUGES) {
                    CassandraMetricsRegistry.Metrics.remove(name(gauge, each.getKey()));
                }
                all.remove();
            }
        }
    }

    private Replica registerReplica(String scope, Replica replica) {
        gauge("Heat", scope, () -> {
            Heat believed = heat.board().heatOf(replica.table, replica.node, System.nanoTime());
            return believed == null ? Double.NaN : believed.value();
        });
        gauge(
                "HeatAgeMillis",
                scope,
                () -> heat.board().ageNanos(replica.table, replica.node, System.nanoTime()) / 1e6);
        gauge("ShareWanted", scope, () -> heat.ledgerOf(replica.table).wantedShareOf(replica.node));
        gauge("ShareSent", scope, () -> heat.ledgerOf(replica.table).sentShareOf(replica.node));
        return replica;
    }

    private static void gauge(String gauge, String scope, DoubleSupplier value) {
        CassandraMetricsRegistry.Metrics.register(name(gauge, scope), (Gauge<Double>) value::getAsDouble);
    }

    private static MetricName name(String name, String scope) {
        return new MetricName(GROUP, TYPE, name, scope, mbeanName(name, scope));
    }

    private static String mbeanName(String name, String scope) {
        // A port's colon has a meaning of its own in a JMX name, so the scope is quoted.
        String quoted = scope == null ? "" : ",scope=" + ObjectName.quote(scope);
        return GROUP + ":type=" + TYPE + quoted + ",name=" + name;
    }

    private static final class Replica {
        final TableId table;
        final InetAddressAndPort node;

        Replica(TableId table, InetAddressAndPort node) {
            this.table = table;
            this.node = node;
        }
    }
}
