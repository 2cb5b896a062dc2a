// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which nodes may have a cold cache when a coordinator first reads from them: those that restarted, and those that came
 * when it read from others already, as one that joins, or takes another's place, does. Any thread calls.
 */
final class ColdNodes<N> {
    /** So long after its first read a coordinator has read from each node that is there, but where reads are rare. */
    static final long ALL_READ_NANOS = 60_000_000_000L;

    private final Set<N> restarted = ConcurrentHashMap.newKeySet();
    private volatile long firstReadNanos;

    /** Notes that the node has restarted, whether it is read from or not. */
    void restarted(N node) {
        restarted.add(node);
    }

    /** Notes that the node has left, or that nobody saw what became of it. */
    void forget(N node) {
        restarted.remove(node);
    }

    /**
     * Whether the node, which the coordinator reads from for the first time, may be cold.
     *
     * @param isFirst whether the coordinator reads from no other node yet: they are there for longer than it
     */
    boolean begins(N node, boolean isFirst, long nowNanos) {
        if (isFirst) {
            firstReadNanos = nowNanos;
        }
        return restarted.remove(node) || nowNanos - firstReadNanos > ALL_READ_NANOS;
    }
}
