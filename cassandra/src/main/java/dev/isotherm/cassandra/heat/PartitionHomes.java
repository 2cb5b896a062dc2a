// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import dev.isotherm.heat.BalanceSettings;
import dev.isotherm.heat.HomeReplicas;
import dev.isotherm.heat.Placement;
import java.util.Arrays;
import org.apache.cassandra.locator.EndpointsForToken;
import org.apache.cassandra.locator.InetAddressAndPort;

/** Whether the placement wants a node to have the partition in its caches that the present statement reads. */
final class PartitionHomes {
    private final HeatSwitches switches;
    private final GroupPlanner planner;
    private final DeadNodes dead;
    private volatile HomeReplicas homes;

    PartitionHomes(HeatSwitches switches, GroupPlanner planner, DeadNodes dead) {
        this.switches = switches;
        this.planner = planner;
        this.dead = dead;
        this.homes = new HomeReplicas(switches.balance());
    }

    /**
     * Whether the node is one of those; true where the placement does not say.
     *
     * @param node a living one
     * @param replicas the natural replicas of the partition, this node's among them or not
     */
    boolean contain(InetAddressAndPort node, EndpointsForToken replicas) {
        BalanceSettings settings = switches.balance();
        ReadContext context = ReadContext.current();
        if (settings.placement() != Placement.AFFINITY || !switches.enabled().isOn() || !context.isActive()) {
            return true;
        }
        HomeReplicas present = homes;
        if (present.settings() != settings) {
            present = new HomeReplicas(settings);
            homes = present;
        }
        GroupKey key = new GroupKey(context.table().id, context.consistencyLevel(), replicas, dead);
        for (GroupInputs.Datacenter datacenter : planner.datacenters(key)) {
            int index = Arrays.asList(datacenter.nodes).indexOf(node);
            if (index >= 0) {
                long token = DiskSampling.tokenBits(replicas.token());
                return present.contain(datacenter.nodes.length, datacenter.blockFor, token, index);
            }
        }
        return true;
    }
}
