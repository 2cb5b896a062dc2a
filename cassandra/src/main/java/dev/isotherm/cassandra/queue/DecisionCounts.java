// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.queue;

import dev.isotherm.queue.DecisionKind;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** How often leaders were chosen why, since the node started. */
public final class DecisionCounts {
    private final Map<DecisionKind, LongAdder> byKind = new EnumMap<>(DecisionKind.class);
    private final LongAdder redirectedFromReplica = new LongAdder();
    private final LongAdder timeouts = new LongAdder();

    public DecisionCounts() {
        for (DecisionKind kind : DecisionKind.values()) {
            byKind.put(kind, new LongAdder());
        }
    }

    void decided(DecisionKind kind, boolean isReplica) {
        byKind.get(kind).increment();
        if (kind == DecisionKind.REDIRECTED && isReplica) {
            redirectedFromReplica.increment();
        }
    }

    void timedOut() {
        timeouts.increment();
    }

    public long of(DecisionKind kind) {
        return byKind.get(kind).sum();
    }

    /** Those of {@link DecisionKind#REDIRECTED} where this node was a replica itself. */
    public long redirectedFromReplica() {
        return redirectedFromReplica.sum();
    }

    /** Choices that waited until the end for some answer, with whatever result. */
    public long timeouts() {
        return timeouts.sum();
    }
}
