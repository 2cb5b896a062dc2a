// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.wire;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
    /**
     * At so many looks, a second apart, a node that has left is forgotten again: a thread that had found it there, and
     * was not running when it left, notes something of it afterwards.
     */
    static final int FORGOTTEN_AGAIN = 3;

    /** How many looks each has left at which it is forgotten again. */
    private final Map<InetAddressAndPort, Integer> nodes = new ConcurrentHashMap<>();

    boolean has(InetAddressAndPort node) {
        return !nodes.isEmpty() && nodes.containsKey(node);
    }

    @Override
    public void onRemove(InetAddressAndPort node) {
        nodes.put(node, FORGOTTEN_AGAIN);
    }

    @Override
    public void onJoin(InetAddressAndPort node, EndpointState joined) {
        if (!GossipState.hasLeft(joined)) {
            nodes.remove(node);
        }
    }

    /** Looks at them, each second; returns those that are to be forgotten again. */
    List<InetAddressAndPort> toForget() {
        List<InetAddressAndPort> lately = new ArrayList<>();
        nodes.forEach((node, looks) -> {
            if (looks > 0 && nodes.replace(node, looks, looks - 1)) {
                lately.add(node);
            }
        });
        return lately;
    }

    /** Keeps only those that gossip knows. */
    void retain(Predicate<InetAddressAndPort> known) {
        nodes.keySet().removeIf(known.negate());
    }
}
