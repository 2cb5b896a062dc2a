// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToDoubleFunction;

/**
 * The requests per second that nodes coordinate, each node's summed over all tables at most once a second: plans are
 * made on request threads, and a cluster may have thousands of tables. Thread safe.
 */
public final class RequestSums<N> {
    /** The time for which a sum is used again. */
    static final long USED_NANOS = 1_000_000_000L;

    private final HeatBoard<?, N> board;
    private volatile Sums<N> sums;

    public RequestSums(HeatBoard<?, N> board) {
        this.board = board;
    }

    /** As {@link HeatBoard#requestsPerSecond}, from sums that are at most a second old. */
    public double requestsPerSecond(N[] nodes, long nowNanos) {
        Sums<N> used = sums;
        if (used == null || nowNanos - used.sinceNanos >= USED_NANOS) {
            // Begun anew as a whole, so that nothing is kept of nodes that have left.
            used = new Sums<>(nowNanos);
            sums = used;
        }
        Map<N, Double> byNode = used.byNode;
        return ofAll(nodes, node -> byNode.computeIfAbsent(node, one -> board.requestsPerSecondOf(one, nowNanos)));
    }

    /** The sum over all nodes; one whose rate is not known (NaN) counts as the mean of the others. 0 without any. */
    static <N> double ofAll(N[] nodes, ToDoubleFunction<N> perSecondOf) {
        double sum = 0;
        int known = 0;
        for (N node : nodes) {
            double perSecond = perSecondOf.applyAsDouble(node);
            if (!Double.isNaN(perSecond)) {
                sum += perSecond;
                known++;
            }
        }
        return known == 0 ? 0 : sum * nodes.length / known;
    }

    private static final class Sums<N> {
        final Map<N, Double> byNode = new ConcurrentHashMap<>();
        final long sinceNanos;

        Sums(long sinceNanos) {
            this.sinceNanos = sinceNanos;
        }
    }
}
