// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

import dev.isotherm.heat.BalanceSettings;
import dev.isotherm.heat.Heat;
import dev.isotherm.heat.HeatBoard;
import dev.isotherm.heat.ReadPlan;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.locator.AbstractReplicationStrategy;
import org.apache.cassandra.locator.IEndpointSnitch;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.NetworkTopologyStrategy;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.reads.AlwaysSpeculativeRetryPolicy;

/** Makes the plan of a replica group: which datacenters are drawn from, with which K, by which heats. */
final class GroupPlanner {
    /** Bounds how long a change of datacenter, replication or speculation that no heat reports goes unseen. */
    private static final long MAX_AGE_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final HeatBoard<TableId, InetAddressAndPort> board;
    private final IEndpointSnitch snitch;
    private final InetAddressAndPort self;

    GroupPlanner(HeatBoard<TableId, InetAddressAndPort> board, IEndpointSnitch snitch, InetAddressAndPort self) {
        this.board = board;
        this.snitch = snitch;
        this.self = self;
    }

    GroupPlan plan(GroupKey key, ShareLedger ledger, BalanceSettings settings, long nowNanos) {
        // The version is read before the heats: a change in between makes the plan outdated, never the reverse.
        long heatVersion = board.version(key.table);
        TableMetadata table = Schema.instance.getTableMetadata(key.table);
        List<DatacenterPlan> plans = table == null ? List.of() : plans(key, table, settings, nowNanos);
        return new GroupPlan(plans, ledger, heatVersion, settings, nowNanos + MAX_AGE_NANOS);
    }

    private List<DatacenterPlan> plans(GroupKey key, TableMetadata table, BalanceSettings settings, long nowNanos) {
        AbstractReplicationStrategy strategy = Keyspace.open(table.keyspace).getReplicationStrategy();
        String localDatacenter = snitch.getDatacenter(self);
        boolean eachDatacenter =
            key.consistencyLevel == ConsistencyLevel.EACH_QUORUM && strategy instanceof NetworkTopologyStrategy;
        List<DatacenterPlan> plans = new ArrayList<>();
        for (Map.Entry<String, List<Integer>> entry : liveByDatacenter(key).entrySet()) {
            boolean local = entry.getKey().equals(localDatacenter);
            if (!local && !eachDatacenter) {
                continue;
            }
            int contacts = eachDatacenter
                ? ConsistencyLevel.localQuorumFor(strategy, entry.getKey())
                : key.consistencyLevel.blockFor(strategy) + extraContact(table);
            DatacenterPlan plan = datacenterPlan(key, entry.getValue(), contacts, settings, nowNanos);
            if (plan != null) {
                plans.add(local ? 0 : plans.size(), plan);
            }
        }
        return plans;
    }

    private static int extraContact(TableMetadata table) {
        return AlwaysSpeculativeRetryPolicy.INSTANCE.equals(table.params.speculativeRetry) ? 1 : 0;
    }

    private Map<String, List<Integer>> liveByDatacenter(GroupKey key) {
        Map<String, List<Integer>> groups = new TreeMap<>();
        for (int i = 0; i < key.endpoints.length; i++) {
            if (key.isLive(i)) {
                groups.computeIfAbsent(snitch.getDatacenter(key.endpoints[i]), dc -> new ArrayList<>()).add(i);
            }
        }
        return groups;
    }

    private DatacenterPlan datacenterPlan(
            GroupKey key, List<Integer> members, int contacts, BalanceSettings settings, long nowNanos) {
        members.sort((a, b) -> key.endpoints[a].compareTo(key.endpoints[b]));
        InetAddressAndPort[] nodes = new InetAddressAndPort[members.size()];
        int[] ringIndex = new int[nodes.length];
        Heat[] heats = new Heat[nodes.length];
        for (int i = 0; i < nodes.length; i++) {
            ringIndex[i] = members.get(i);
            nodes[i] = key.endpoints[ringIndex[i]];
            heats[i] = board.heatOf(key.table, nodes[i], nowNanos);
        }
        ReadPlan plan = ReadPlan.of(heats, contacts, Arrays.asList(nodes).indexOf(self), settings);
        return plan == null ? null : new DatacenterPlan(nodes, ringIndex, contacts, plan);
    }
}
