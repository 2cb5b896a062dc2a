// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import dev.isotherm.heat.BalanceSettings;
import dev.isotherm.heat.HomeReplicas;
import dev.isotherm.heat.Placement;
import java.util.Optional;
import org.apache.cassandra.locator.EndpointsForToken;
import org.apache.cassandra.locator.InetAddressAndPort;

/** Whether the placement wants a node to have the partition in its caches that the present statement reads. */
final class PartitionHomes {
    private final HeatSwitches switches;
    private final ReplicaOrdering ordering;
    private volatile HomeReplicas homes;

    PartitionHomes(HeatSwitches switches, ReplicaOrdering ordering) {
        this.switches = switches;
        this.ordering = ordering;
        this.homes = new HomeReplicas(switches.balance());
    }

    /**
     * Whether the node is one of those; true where the placement does not say, because the reads keep the operator's
     * order.
     *
     * @param replicas the natural replicas of the partition
     */
    boolean contain(InetAddressAndPort node, EndpointsForToken replicas) {
        BalanceSettings settings = settings();
        if (settings.placement() != Placement.AFFINITY) {
            return true;
        }
        Optional<GroupPlan> plan = ordering.planOf(ReadContext.current(), replicas);
        return plan.isEmpty() || contain(homesBy(settings), plan.get(), node, DiskSampling.tokenBits(replicas.token()));
    }

    private BalanceSettings settings() {
        if (switches.choice() != PlacementChoice.AUTO) {
            // Those of all tables.
            return switches.balance();
        }
        ReadContext context = ReadContext.current();
        return context.isActive() ? switches.balanceOf(context.table().id).settings() : switches.balance();
    }

    private static boolean contain(HomeReplicas homes, GroupPlan plan, InetAddressAndPort node, long token) {
        for (DatacenterPlan datacenter : plan.datacenters) {
            int index = datacenter.indexOf(node);
            if (index >= 0) {
                return homes.contain(datacenter.size(), datacenter.k(), token, index);
            }
        }
        return true;
    }

    private HomeReplicas homesBy(BalanceSettings settings) {
        HomeReplicas present = homes;
        if (present.settings() != settings) {
            present = new HomeReplicas(settings);
            homes = present;
        }
        return present;
    }
}
