// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.locator.AbstractReplicationStrategy;
import org.apache.cassandra.locator.NetworkTopologyStrategy;

/** How many full replicas of each partition a datacenter has. */
final class FullReplicas {
    private FullReplicas() {}

    /** The full replicas in the datacenter; where the strategy knows no datacenters, those of all. */
    static int in(String datacenter, Keyspace keyspace) {
        AbstractReplicationStrategy strategy = keyspace.getReplicationStrategy();
        return strategy instanceof NetworkTopologyStrategy
                ? ((NetworkTopologyStrategy) strategy).getReplicationFactor(datacenter).fullReplicas
                : strategy.getReplicationFactor().fullReplicas;
    }
}
