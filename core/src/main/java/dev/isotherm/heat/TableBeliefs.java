// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/** The known heats of all nodes for one table, and their version. Read without locks; written under the board's. */
final class TableBeliefs<N> implements LongSupplier {
    final Map<N, Belief> byNode = new ConcurrentHashMap<>();
    /** The nodes with a heat of each kind: a restart asks each table for them, and there may be many nodes. */
    private final int[] nodesByKind = new int[Heat.Kind.values().length];

    volatile long version;

    void put(N node, Belief belief) {
        count(byNode.put(node, belief), -1);
        count(belief, 1);
    }

    /** Whether anything was known of the node. */
    boolean remove(N node) {
        Belief removed = byNode.remove(node);
        count(removed, -1);
        return removed != null;
    }

    private void count(Belief belief, int change) {
        if (belief != null) {
            nodesByKind[belief.heat.kind().ordinal()] += change;
        }
    }

    @Override
    public long getAsLong() {
        return version;
    }

    /**
     * The heat of a node that has just restarted, in the kind of most other nodes' heats; on a tie in the kind of the
     * node's own known heat, and without one in the first of these kinds.
     */
    Heat coldHeat(N restarted, BalanceSettings settings) {
        // One other node outweighs the node's own heat, which only breaks a tie.
        Belief own = byNode.get(restarted);
        int[] votes = new int[nodesByKind.length];
        for (int kind = 0; kind < votes.length; kind++) {
            boolean isOwn = own != null && own.heat.kind().ordinal() == kind;
            votes[kind] = 2 * nodesByKind[kind] - (isOwn ? 1 : 0);
        }
        Heat.Kind most = Heat.Kind.MISS_RATIO;
        for (Heat.Kind kind : Heat.Kind.values()) {
            most = votes[kind.ordinal()] > votes[most.ordinal()] ? kind : most;
        }
        return Heat.cold(most, settings);
    }
}
