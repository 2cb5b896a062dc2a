// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which nodes may have a cold cache when a coordinator first reads from them: those that restarted, and those that came
 * when it read from others already, as one that joins, or takes another's place, does. Any thread calls.
 */
final class ColdNodes<N> {
    /** Time after a coordinator's first read in which it reads from each node there is, unless reads are rare. */
    static final long ALL_READ_NANOS = 60_000_000_000L;

    private final Set<N> restarted = ConcurrentHashMap.newKeySet();
    /** Whether the coordinator has read from any node. */
    private volatile boolean reads;

    private volatile long firstReadNanos;

    /** Notes that the node has restarted, whether it is read from or not. */
    void restarted(N node) {
        restarted.add(node);
    }

    /** Notes that the node has left. */
    void forget(N node) {
        restarted.remove(node);
    }

    /** Notes that nobody saw what became of any node. */
    void forgetAll() {
        restarted.clear();
        reads = false;
    }

    /**
     * Whether the node, which the coordinator reads from for the first time, may be cold. The first of all may not: it
     * is there for longer than the coordinator.
     */
    boolean mayBeCold(N node, long nowNanos) {
        if (!reads) {
            firstReadNanos = nowNanos;
            reads = true;
        }
        return restarted.remove(node) || nowNanos - firstReadNanos > ALL_READ_NANOS;
    }
}
