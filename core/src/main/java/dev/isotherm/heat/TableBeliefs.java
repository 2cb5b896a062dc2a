// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/** What is believed of every node for one table, and the version of it. Read without locks. */
final class TableBeliefs<N> implements LongSupplier {
    final Map<N, Belief> byNode = new ConcurrentHashMap<>();
    volatile long version;

    @Override
    public long getAsLong() {
        return version;
    }

    /**
     * The heat of a node that has just restarted, in the kind of the table's other beliefs; where
     * they do not decide it, in the kind of the node's own before, and else a miss ratio.
     */
    Heat coldHeat(N restarted, BalanceSettings settings) {
        int times = 0;
        for (Map.Entry<N, Belief> entry : byNode.entrySet()) {
            // Any two of the others outweigh the node's own belief, which only breaks a tie.
            int weight = entry.getKey().equals(restarted) ? 1 : 2;
            times += entry.getValue().heat.kind() == Heat.Kind.READ_TIME ? weight : -weight;
        }
        return times > 0 ? Heat.readTimeNanos(settings.coldReadNanos()) : Heat.missRatio(1);
    }
}
