// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import dev.isotherm.cassandra.views.IsothermMetrics;
import dev.isotherm.heat.Heat;
import dev.isotherm.heat.HeatBoard;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;

/**
 * The known heat and the shares of each replica of a table, as metrics: the same values as in the virtual table.
 *
 * <p>The scope is {@code keyspace.table.address}. Used by one thread.
 */
final class ReplicaMetrics {
    private static final String[] GAUGES = {"Heat", "HeatAgeMillis", "ShareWanted", "ShareSent"};

    private final HeatBoard<TableId, InetAddressAndPort> board;
    private final GroupPlans plans;
    /** Scope of each registered replica, and the table it belongs to. */
    private final Map<String, Replica> replicas = new HashMap<>();

    ReplicaMetrics(HeatBoard<TableId, InetAddressAndPort> board, GroupPlans plans) {
        this.board = board;
        this.plans = plans;
    }

    /** Registers the gauges of replicas that appeared and removes those that are gone. */
    void followReplicas() {
        for (TableId id : board.tables()) {
            TableMetadata table = Schema.instance.getTableMetadata(id);
            if (table != null) {
                for (InetAddressAndPort node : board.nodes(id)) {
                    String scope = table.keyspace + '.' + table.name + '.' + node.getHostAddressAndPort();
                    replicas.computeIfAbsent(scope, s -> register(s, new Replica(id, node)));
                }
            }
        }
        for (Iterator<Map.Entry<String, Replica>> all = replicas.entrySet().iterator(); all.hasNext(); ) {
            Map.Entry<String, Replica> each = all.next();
            if (!board.nodes(each.getValue().table).contains(each.getValue().node)) {
                for (String gauge : GAUGES) {
                    IsothermMetrics.remove(gauge, each.getKey());
                }
                all.remove();
            }
        }
    }

    private Replica register(String scope, Replica replica) {
        IsothermMetrics.register("Heat", scope, () -> {
            Heat believed = board.heatOf(replica.table, replica.node, System.nanoTime());
            return believed == null ? Double.NaN : believed.value();
        });
        IsothermMetrics.register(
                "HeatAgeMillis", scope, () -> board.ageNanos(replica.table, replica.node, System.nanoTime()) / 1e6);
        IsothermMetrics.register(
                "ShareWanted", scope, () -> plans.ledgerOf(replica.table).wantedShareOf(replica.node));
        IsothermMetrics.register(
                "ShareSent", scope, () -> plans.ledgerOf(replica.table).sentShareOf(replica.node));
        return replica;
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
