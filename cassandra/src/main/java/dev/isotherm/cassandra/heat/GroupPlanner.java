// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import dev.isotherm.heat.BalanceSettings;
import dev.isotherm.heat.DiskLoad;
import dev.isotherm.heat.DisksOfNodes;
import dev.isotherm.heat.HeatBoard;
import dev.isotherm.heat.Placement;
import dev.isotherm.heat.ReadPlan;
import dev.isotherm.heat.RequestSums;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.apache.cassandra.locator.IEndpointSnitch;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.schema.TableId;

/** Makes the plans of a replica group: chooses the datacenters to draw from, K for each, and the heats. */
final class GroupPlanner {
    private final HeatBoard<TableId, InetAddressAndPort> board;
    private final RequestSums<InetAddressAndPort> requests;
    private final BlockFor blockFor;
    private final IEndpointSnitch snitch;
    private final InetAddressAndPort self;
    private final DisksOfNodes<InetAddressAndPort> disks;
    private final LongSupplier nanoClock;

    GroupPlanner(
            HeatBoard<TableId, InetAddressAndPort> board,
            BlockFor blockFor,
            IEndpointSnitch snitch,
            InetAddressAndPort self,
            DisksOfNodes<InetAddressAndPort> disks,
            LongSupplier nanoClock) {
        this.board = board;
        this.requests = new RequestSums<>(board);
        this.blockFor = blockFor;
        this.snitch = snitch;
        this.self = self;
        this.disks = disks;
        this.nanoClock = nanoClock;
    }

    /** What the group's plans with that placement are made from now. */
    GroupInputs inputs(GroupKey key, Placement placement) {
        String localDatacenter = snitch.getDatacenter(self);
        int blockForInAll = blockFor.inAll(key.table, key.consistencyLevel);
        List<GroupInputs.Datacenter> datacenters = new ArrayList<>();
        for (Map.Entry<String, List<Integer>> entry : liveByDatacenter(key).entrySet()) {
            boolean local = entry.getKey().equals(localDatacenter);
            int blockForHere = blockFor.inEach(key.table, key.consistencyLevel, entry.getKey());
            if (blockForHere == BlockFor.NONE) {
                // At this level only the local datacenter is drawn from; the other replicas follow as without
                // the plugin.
                blockForHere = local ? blockForInAll : BlockFor.NONE;
            }
            if (blockForHere >= 1) {
                datacenters.add(datacenter(key, local, entry.getValue(), blockForHere));
            }
        }
        InetAddressAndPort[] nodes = datacenters.stream()
                .flatMap(datacenter -> Arrays.stream(datacenter.nodes))
                .toArray(InetAddressAndPort[]::new);
        int[] ends = new int[datacenters.size()];
        int end = 0;
        for (int i = 0; i < ends.length; i++) {
            end += datacenters.get(i).nodes.length;
            ends[i] = end;
        }
        return new GroupInputs(datacenters, board.group(key.table, nodes, ends, placement, nanoClock.getAsLong()));
    }

    GroupPlan plan(GroupKey key, ShareLedger ledger, HeatSwitches switches) {
        TableBalance balance = switches.balanceOf(key.table);
        BalanceSettings settings = balance.settings();
        GroupInputs inputs = inputs(key, settings.placement());
        return new GroupPlan(key, plans(inputs, settings), reachesFar(key), ledger, inputs, balance, settings);
    }

    /** Of a level that is local to a datacenter Cassandra drops the replicas elsewhere, in whatever order they are. */
    private boolean reachesFar(GroupKey key) {
        if (key.consistencyLevel.isDatacenterLocal()) {
            return false;
        }
        String here = snitch.getDatacenter(self);
        for (InetAddressAndPort endpoint : key.endpoints) {
            if (!here.equals(snitch.getDatacenter(endpoint))) {
                return true;
            }
        }
        return false;
    }

    private List<DatacenterPlan> plans(GroupInputs inputs, BalanceSettings settings) {
        List<DatacenterPlan> plans = new ArrayList<>();
        boolean localIsDrawn = false;
        int from = 0;
        for (GroupInputs.Datacenter datacenter : inputs.datacenters) {
            int to = from + datacenter.nodes.length;
            ReadPlan plan = ReadPlan.of(
                    Arrays.copyOfRange(inputs.heats.heats(), from, to),
                    Arrays.copyOfRange(inputs.heats.rates(), from, to),
                    Arrays.copyOfRange(inputs.heats.standings(), from, to),
                    load(datacenter.nodes),
                    datacenter.blockFor,
                    Arrays.asList(datacenter.nodes).indexOf(self),
                    settings);
            from = to;
            if (plan != null) {
                plans.add(datacenter.local ? 0 : plans.size(), new DatacenterPlan(datacenter, plan));
                localIsDrawn |= datacenter.local;
            }
        }
        // The first replica returns the data and the others digests: it should be in the local datacenter.
        return localIsDrawn ? List.copyOf(plans) : List.of();
    }

    /** What the disks of these nodes have to bear now. */
    DiskLoad load(InetAddressAndPort[] nodes) {
        return new DiskLoad() {
            @Override
            public double requestsPerSecond() {
                return requests.requestsPerSecond(nodes, nanoClock.getAsLong());
            }

            @Override
            public int servedAtOnce(int replica) {
                return disks.of(nodes[replica]);
            }
        };
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

    private static GroupInputs.Datacenter datacenter(
            GroupKey key, boolean local, List<Integer> members, int blockForHere) {
        members.sort((a, b) -> key.endpoints[a].compareTo(key.endpoints[b]));
        InetAddressAndPort[] nodes = new InetAddressAndPort[members.size()];
        byte[] ringIndex = new byte[nodes.length];
        for (int i = 0; i < nodes.length; i++) {
            ringIndex[i] = members.get(i).byteValue();
            nodes[i] = key.endpoints[ringIndex[i]];
        }
        return new GroupInputs.Datacenter(local, nodes, ringIndex, blockForHere);
    }

    /** The present instant of the clock by which heats grow stale. */
    long nowNanos() {
        return nanoClock.getAsLong();
    }
}
