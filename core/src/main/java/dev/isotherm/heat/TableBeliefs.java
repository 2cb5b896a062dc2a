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
     * node's own known heat, and without one a miss ratio.
     */
    Heat coldHeat(N restarted, BalanceSettings settings) {
        int times = 0;
        for (Map.Entry<N, Belief> entry : byNode.entrySet()) {
            // One other node outweighs the node's own heat, which only breaks a tie.
            int weight = entry.getKey().equals(restarted) ? 1 : 2;
            times += entry.getValue().heat.kind() == Heat.Kind.READ_TIME ? weight : -weight;
        }
        return times > 0 ? Heat.readTimeNanos(settings.coldReadNanos()) : Heat.missRatio(1);
    }
}
