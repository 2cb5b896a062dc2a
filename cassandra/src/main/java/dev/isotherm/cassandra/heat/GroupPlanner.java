// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import dev.isotherm.heat.BalanceSettings;
import dev.isotherm.heat.Heat;
import dev.isotherm.heat.HeatBoard;
import dev.isotherm.heat.ReadPlan;
import dev.isotherm.heat.RequestRate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.apache.cassandra.locator.IEndpointSnitch;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.schema.TableId;

/** Makes the plan of a replica group: chooses the datacenters to draw from, K for each, and the heats. */
final class GroupPlanner {
    private final HeatBoard<TableId, InetAddressAndPort> board;
    private final BlockFor blockFor;
    private final IEndpointSnitch snitch;
    private final InetAddressAndPort self;
    private final LongSupplier nanoClock;

    GroupPlanner(
            HeatBoard<TableId, InetAddressAndPort> board,
            BlockFor blockFor,
            IEndpointSnitch snitch,
            InetAddressAndPort self,
            LongSupplier nanoClock) {
        this.board = board;
        this.blockFor = blockFor;
        this.snitch = snitch;
        this.self = self;
        this.nanoClock = nanoClock;
    }

    GroupPlan plan(GroupKey key, ShareLedger ledger, BalanceSettings settings, int lastSecond) {
        // The version is read before the heats: a change in between makes the new plan outdated, but no outdated plan
        // current.
        LongSupplier heatVersions = board.versionSource(key.table);
        long heatVersion = heatVersions.getAsLong();
        return new GroupPlan(plans(key, settings), ledger, heatVersions, heatVersion, settings, lastSecond);
    }

    private List<DatacenterPlan> plans(GroupKey key, BalanceSettings settings) {
        String localDatacenter = snitch.getDatacenter(self);
        int blockForInAll = blockFor.inAll(key.table, key.consistencyLevel);
        List<DatacenterPlan> plans = new ArrayList<>();
        boolean localIsDrawn = false;
        for (Map.Entry<String, List<Integer>> entry : liveByDatacenter(key).entrySet()) {
            boolean local = entry.getKey().equals(localDatacenter);
            int blockForHere = blockFor.inEach(key.table, key.consistencyLevel, entry.getKey());
            if (blockForHere == BlockFor.NONE) {
                // At this level only the local datacenter is drawn from; the other replicas follow in the operator's
                // order.
                blockForHere = local ? blockForInAll : BlockFor.NONE;
            }
            DatacenterPlan plan =
                    blockForHere < 1 ? null : datacenterPlan(key, entry.getValue(), blockForHere, settings);
            if (plan != null) {
                plans.add(local ? 0 : plans.size(), plan);
                localIsDrawn |= local;
            }
        }
        // The first replica returns the data and the others digests: it should be in the local datacenter.
        return localIsDrawn ? plans : List.of();
    }

    private Map<String, List<Integer>> liveByDatacenter(GroupKey key) {
        Map<String, List<Integer>> groups = new TreeMap<>();
        for (int i = 0; i < key.endpoints.length; i++) {
            if (key.isLive(i)) {
                groups.computeIfAbsent(snitch.getDatacenter(key.endpoints[i]), dc -> new ArrayList<>())
                        .add(i);
            }
        }
        return groups;
    }

    private DatacenterPlan datacenterPlan(
            GroupKey key, List<Integer> members, int blockForHere, BalanceSettings settings) {
        long nowNanos = nanoClock.getAsLong();
        members.sort((a, b) -> key.endpoints[a].compareTo(key.endpoints[b]));
        InetAddressAndPort[] nodes = new InetAddressAndPort[members.size()];
        int[] ringIndex = new int[nodes.length];
        Heat[] heats = new Heat[nodes.length];
        RequestRate[] rates = new RequestRate[nodes.length];
        for (int i = 0; i < nodes.length; i++) {
            ringIndex[i] = members.get(i);
            nodes[i] = key.endpoints[ringIndex[i]];
            heats[i] = board.heatOf(key.table, nodes[i], nowNanos);
            rates[i] = board.rateOf(key.table, nodes[i], nowNanos);
        }
        ReadPlan plan =
                ReadPlan.of(heats, rates, blockForHere, Arrays.asList(nodes).indexOf(self), settings);
        return plan == null ? null : new DatacenterPlan(nodes, ringIndex, blockForHere, plan);
    }
}
