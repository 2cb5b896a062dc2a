// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.accuracy;

import dev.isotherm.limit.AdmissionLedger;
import dev.isotherm.limit.Decision;
import dev.isotherm.limit.PartitionLimiter;

/**
 * One node: its limiter, its clock, and the ledger of what it has admitted and the other replicas do not know.
 *
 * <p>The ledger is drained as the plugin does it: 50 ms after the first note, or at once when a note says so, which
 * takes as long as waking a thread does, but a millisecond after the last time at the earliest. All that was in it goes
 * to each other replica in one message.
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

    /** A node whose limiter's clock shows that much more than virtual time. */
    Node(Timeline timeline, Network network, PartitionLimiter limiter, int ledgerSlots, long clockOffset) {
        this.timeline = timeline;
        this.network = network;
        this.limiter = limiter;
        ledger = new AdmissionLedger<>(ledgerSlots);
        this.clockOffset = clockOffset;
        sweepLater();
    }

    /** The other replicas, which are all other nodes. */
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

    /** Decides as the coordinator that is a replica: what it admits, all other replicas are told of. */
    boolean coordinate(long partition, int limit, int random) {
        return decide(partition, limit, 1, true, random);
    }

    /**
     * Decides on an operation and accounts it, or as much of it as operations says.
     *
     * @param tells whether the other replicas are told of it, too; otherwise each is asked itself
     */
    boolean decide(long partition, int limit, double operations, boolean tells, int random) {
        Decision decision = limiter.admit(partition, limit, operations, random, timeline.now() + clockOffset);
        if (tells && decision == Decision.ADMITTED_NEAR_LIMIT) {
            boolean isMuch = ledger.note(partition, limit, operations, this, "");
            // Where others decide about the same partition right now by the same number, they should know the same.
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
