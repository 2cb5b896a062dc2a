// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.wire;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.apache.cassandra.gms.EndpointState;
import org.apache.cassandra.gms.IEndpointStateChangeSubscriber;
import org.apache.cassandra.locator.InetAddressAndPort;

/**
 * The nodes that have left the cluster and may still send messages, as a coordinator that is decommissioned does until
 * it ends. Gossip knows their states for days: what features have forgotten of them is not to come back.
 */
final class DepartedNodes implements IEndpointStateChangeSubscriber {
    private final Set<InetAddressAndPort> nodes = ConcurrentHashMap.newKeySet();

    boolean has(InetAddressAndPort node) {
        return !nodes.isEmpty() && nodes.contains(node);
    }

    @Override
    public void onRemove(InetAddressAndPort node) {
        nodes.add(node);
    }

    @Override
    public void onJoin(InetAddressAndPort node, EndpointState joined) {
        if (!GossipState.hasLeft(joined)) {
            nodes.remove(node);
        }
    }

    /** Keeps only those that gossip knows. */
    void retain(Predicate<InetAddressAndPort> known) {
        nodes.removeIf(known.negate());
    }
}
