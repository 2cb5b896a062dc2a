// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.accuracy;

import dev.isotherm.limit.AdmissionLedger;
import dev.isotherm.limit.Decision;
import dev.isotherm.limit.PartitionLimiter;

/**
 * One node: its limiter, its clock, and the ledger of its unreported admissions.
 *
 * <p>The ledger is drained as in the plugin: 50 ms after the first note, or at once for an urgent note. At once means
 * after the wake-up of a thread, and at the earliest one millisecond after the last drain. Each drain sends the whole
 * ledger to each other replica in one message.
 */
final class Node {
    private static final long DRAIN_NANOS = 50_000_000;
    private static final long WAKE_NANOS = 100_000;
    private static final long SWEEP_NANOS = 60_000_000_000L;
    private static final long LEAST_INTERVAL_NANOS = 1_000_000;

    private final Timeline timeline;
    private final Network network;
    private final long clockOffset;
    private final AdmissionLedger<Node, String> ledger;
    private final PartitionLimiter limiter;
    private Node[] others;
    private long drainAt = Long.MAX_VALUE;
    private long notBefore;

    /** A node whose limiter's clock is this far ahead of virtual time. */
    Node(Timeline timeline, Network network, PartitionLimiter limiter, int ledgerSlots, long clockOffset) {
        this.timeline = timeline;
        this.network = network;
        this.limiter = limiter;
        ledger = new AdmissionLedger<>(ledgerSlots, 7);
        this.clockOffset = clockOffset;
        sweepLater();
    }

    /** Sets the other replicas, which are all other nodes. */
    void meet(Node[] otherReplicas) {
        others = otherReplicas;
    }

    PartitionLimiter limiter() {
        return limiter;
    }

    /** Notes that did not fit the ledger. */
    long dropped() {
        return ledger.dropped();
    }

    /** Decides as a coordinator that is a replica, and reports the admission to all other replicas. */
    boolean coordinate(long partition, int limit, int random) {
        return decide(partition, limit, 1, true, random);
    }

    /**
     * Decides about an operation and accounts it, or the fraction {@code operations} of it.
     *
     * @param tells whether the admission is reported to the other replicas; if not, each replica decides by itself
     */
    boolean decide(long partition, int limit, double operations, boolean tells, int random) {
        Decision decision = limiter.admit(partition, limit, operations, random, timeline.now() + clockOffset);
        if (tells && decision == Decision.ADMITTED_NEAR_LIMIT) {
            boolean isMuch = ledger.note(partition, limit, operations, this, "");
            // Other replicas decide about the same partition at this moment by the same number: they should know the
            // same admissions.
            boolean isUrgent = isMuch || operations < 1;
            drainBy(timeline.now() + (isUrgent ? WAKE_NANOS : DRAIN_NANOS));
        }
        return decision.isAdmitted();
    }

    private void drainBy(long wanted) {
        long nanos = Math.max(wanted, notBefore);
        if (nanos >= drainAt) {
            return;
        }
        drainAt = nanos;
        timeline.at(nanos, () -> {
            if (drainAt == nanos) {
                drain();
            }
        });
    }

    private void drain() {
        drainAt = Long.MAX_VALUE;
        notBefore = timeline.now() + LEAST_INTERVAL_NANOS;
        Report report = new Report();
        ledger.drain(report);
        for (Node other : others) {
            timeline.at(
                    timeline.now() + network.delayNanos(),
                    () -> report.accountTo(other.limiter, timeline.now() + other.clockOffset));
        }
    }

    private void sweepLater() {
        timeline.at(timeline.now() + SWEEP_NANOS, () -> {
            limiter.sweep(timeline.now() + clockOffset);
            sweepLater();
        });
    }
}
