// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import dev.isotherm.heat.HeatBoard;
import dev.isotherm.heat.Warmth;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.locator.IEndpointSnitch;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.SchemaConstants;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;

/**
 * How warm a node is beside the others of its datacenter, in the tables of users that the datacenter has replicas of:
 * other datacenters have clients, disks and caches of their own, and where nobody reads, all are as cold as at the
 * start.
 */
final class NodeWarmth {
    private final HeatBoard<TableId, InetAddressAndPort> board;
    private final HeatSwitches switches;
    private final IEndpointSnitch snitch;

    NodeWarmth(HeatBoard<TableId, InetAddressAndPort> board, HeatSwitches switches, IEndpointSnitch snitch) {
        this.board = board;
        this.switches = switches;
        this.snitch = snitch;
    }

    /** The node's warmth in the table in which it is coldest. */
    Warmth<TableId> of(InetAddressAndPort node) {
        return Warmth.of(timesPeers(node));
    }

    /** What a read of each table costs it, over what it costs its peers; NaN where that is unknown. */
    Map<TableId, Double> timesPeers(InetAddressAndPort node) {
        return timesOf(node, peer -> true);
    }

    /**
     * The same, beside some of its peers; beside all of them for a table of which none of these tells its heat.
     *
     * @param isMeasure those that it is compared with
     */
    Map<TableId, Double> timesPeers(InetAddressAndPort node, Predicate<InetAddressAndPort> isMeasure) {
        Map<TableId, Double> times = timesOf(node, isMeasure);
        if (times.containsValue(Double.NaN)) {
            Map<TableId, Double> beside = timesPeers(node);
            times.replaceAll((table, some) -> some.isNaN() ? beside.getOrDefault(table, some) : some);
        }
        return times;
    }

    private Map<TableId, Double> timesOf(InetAddressAndPort node, Predicate<InetAddressAndPort> isMeasure) {
        String datacenter = snitch.getDatacenter(node);
        return Warmth.timesPeers(
                board,
                counted(datacenter),
                isMeasure.and(nodesOf(datacenter)),
                node,
                switches.balance(),
                System.nanoTime());
    }

    private static Predicate<TableId> counted(String datacenter) {
        return id -> {
            TableMetadata table = Schema.instance.getTableMetadata(id);
            Keyspace keyspace = table == null || SchemaConstants.isSystemKeyspace(table.keyspace)
                    ? null
                    : Schema.instance.getKeyspaceInstance(table.keyspace);
            return keyspace != null && FullReplicas.in(datacenter, keyspace) > 0;
        };
    }

    /** The nodes of the datacenter; the snitch, which may take its time, is asked for each once for all tables. */
    private Predicate<InetAddressAndPort> nodesOf(String datacenter) {
        Map<InetAddressAndPort, Boolean> known = new HashMap<>();
        return node -> known.computeIfAbsent(node, each -> datacenter.equals(snitch.getDatacenter(each)));
    }
}
