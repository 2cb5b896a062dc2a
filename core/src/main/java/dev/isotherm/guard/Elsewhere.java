// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How long reads take at the other nodes that a coordinator reads from, itself included, seen from each: an avoided
 * replica is tried beside the fastest of them. Filled anew each second. For one thread.
 */
/*
 * Of its own reads a coordinator knows means only. So means are compared, over the same seconds, and what the fastest
 * replica's reads take at most is its mean times the ratio of tail to mean at the fastest other node: where each read
 * takes as long the two are the same, and where one in twenty misses a cache the tail is twenty times the mean.
 */
final class Elsewhere {
    /** The ratio of tail to mean where none is known. */
    private static final double SPREAD = 10;

    private final LeastOfOthers fastest = new LeastOfOthers();
    private final LeastOfOthers fastestNode = new LeastOfOthers();
    private final LeastOfOthers leastUsualTail = new LeastOfOthers();
    private final TypicalOfOthers mean = new TypicalOfOthers();
    private final TypicalOfOthers medianRoundTrip = new TypicalOfOthers();
    private final Map<Double, TypicalOfOthers> parts = new HashMap<>();
    private final List<ReadWatch> nearNodes = new ArrayList<>();
    private int replicas;

    void clear() {
        fastest.clear();
        fastestNode.clear();
        leastUsualTail.clear();
        mean.clear();
        medianRoundTrip.clear();
        parts.clear();
        nearNodes.clear();
        replicas = 0;
    }

    /** @param near whether the replica is of this coordinator's datacenter: reads of others are slower for the way */
    void add(ReadWatch replica, boolean near) {
        replicas++;
        fastest.add(replica, replica.meanNanos());
        fastestNode.add(replica, replica.spread() < 0 ? -1 : replica.meanNanos());
        leastUsualTail.add(replica, replica.usualTailNanos());
        if (near) {
            mean.add(replica, replica.meanNanos());
            medianRoundTrip.add(replica, replica.medianRoundTripNanos());
            nearNodes.add(replica);
        }
    }

    /** The mean of the last seconds at half of the other near nodes, nanoseconds; -1 if unknown, or this one is far. */
    long typicalMeanNanos(ReadWatch replica) {
        return mean.without(replica);
    }

    /** The same of the median round trip: of own reads, which have none, it says nothing. */
    long typicalMedianRoundTripNanos(ReadWatch replica) {
        return medianRoundTrip.without(replica);
    }

    /** What that part of the reads takes at most at half of the other near nodes, nanoseconds; -1 as with the mean. */
    long typicalNanos(double part, ReadWatch replica) {
        return parts.computeIfAbsent(part, this::ofAllNear).without(replica);
    }

    private TypicalOfOthers ofAllNear(double part) {
        TypicalOfOthers typical = new TypicalOfOthers();
        nearNodes.forEach(node -> typical.add(node, node.latestNanos(part)));
        return typical;
    }

    /** The least mean of the last seconds of the others than this replica, nanoseconds; -1 if not known of any. */
    long meanNanos(ReadWatch replica) {
        ReadWatch other = fastest.without(replica);
        return other == null ? -1 : other.meanNanos();
    }

    /** What a read at the fastest other replica took at most, but for a few, nanoseconds; -1 if not known. */
    long tailNanos(ReadWatch replica) {
        long mean = meanNanos(replica);
        ReadWatch node = fastestNode.without(replica);
        return mean < 0 ? -1 : (long) (mean * (node == null ? SPREAD : node.spread()));
    }

    /** The least usual tail of the other nodes, nanoseconds; -1 if not known of any, 0 if there is no other. */
    long usualTailNanos(ReadWatch replica) {
        ReadWatch other = leastUsualTail.without(replica);
        return other != null ? other.usualTailNanos() : replicas == 1 ? 0 : -1;
    }
}
