// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/** The known heats of all nodes for one table, and their version. Read without locks. */
final class TableBeliefs<N> implements LongSupplier {
    final Map<N, Belief> byNode = new ConcurrentHashMap<>();
    volatile long version;

    @Override
    public long getAsLong() {
        return version;
    }

    /**
     * The heat of a node that has just restarted, in the kind of most other nodes' heats; on a tie in the kind of the
     * node's own known heat, and without one in the first of these kinds.
     */
    Heat coldHeat(N restarted, BalanceSettings settings) {
        int[] votes = new int[Heat.Kind.values().length];
        for (Map.Entry<N, Belief> entry : byNode.entrySet()) {
            // One other node outweighs the node's own heat, which only breaks a tie.
            votes[entry.getValue().heat.kind().ordinal()] += entry.getKey().equals(restarted) ? 1 : 2;
        }
        Heat.Kind most = Heat.Kind.MISS_RATIO;
        for (Heat.Kind kind : Heat.Kind.values()) {
            most = votes[kind.ordinal()] > votes[most.ordinal()] ? kind : most;
        }
        return Heat.cold(most, settings);
    }
}
