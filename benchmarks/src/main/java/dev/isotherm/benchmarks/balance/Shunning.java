// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.balance;

import dev.isotherm.common.DecayedRatio;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntToDoubleFunction;

/**
 * The order of Cassandra's dynamic snitch: the fixed one, or that by latency where the fixed one is bad. A score is the
 * mean latency of a replica's reads, for as long as nothing else is heard of it; the snitch takes a median, as a part
 * of the highest one, which changes nothing here, as scores are compared with each other alone.
 */
final class Shunning implements Order {
    /** By 1 + {@code dynamic_snitch_badness_threshold}, which is 1.0 by default. */
    private static final double BAD = 2;

    private static final long SMOOTHING_NANOS = 10 * Simulation.SECOND;

    private final int self;
    private final Events events;
    private final Map<Integer, DecayedRatio> latencies = new HashMap<>();

    Shunning(int self, Events events) {
        this.self = self;
        this.events = events;
    }

    @Override
    public void order(int partition, int[] living, int[] into) {
        Rivals.selfFirst(self, living, into);
        sortIfBad(into, this::score);
    }

    /**
     * As {@code DynamicEndpointSnitch.sortedByProximityWithBadness} does: leaves the order unless at any place of it
     * the score is more than twice the one that stands there once all are sorted. Then all are sorted by their scores,
     * and those of equal ones stay in the order that they had.
     */
    static void sortIfBad(int[] order, IntToDoubleFunction scoreOf) {
        int count = order.length;
        double[] scores = new double[count];
        double[] sortedScores = new double[count];
        int[] sorted = new int[count];
        for (int i = 0; i < count; i++) {
            double score = scoreOf.applyAsDouble(order[i]);
            scores[i] = score;
            int at = i;
            for (; at > 0 && sortedScores[at - 1] > score; at--) {
                sortedScores[at] = sortedScores[at - 1];
                sorted[at] = sorted[at - 1];
            }
            sortedScores[at] = score;
            sorted[at] = order[i];
        }
        for (int i = 0; i < count; i++) {
            if (scores[i] > BAD * sortedScores[i]) {
                System.arraycopy(sorted, 0, order, 0, count);
                return;
            }
        }
    }

    /** A replica of which nothing is known seems the quickest, as in Cassandra. */
    private double score(int replica) {
        DecayedRatio latency = latencies.get(replica);
        return latency == null ? 0 : latency.value();
    }

    /** As Cassandra's dynamic snitch does. */
    @Override
    public boolean countsExpired() {
        return true;
    }

    @Override
    public void answered(int replica, long nanos) {
        latencies
                .computeIfAbsent(replica, r -> new DecayedRatio(SMOOTHING_NANOS, nanos, 1, events.now()))
                .add(nanos, 1, events.now());
    }
}
