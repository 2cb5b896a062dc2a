// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.cassandra.locator.InetAddressAndPort;

/**
 * What the replicas of a delegated request have answered. It outlives the request where answers come after the
 * client's, so it holds nothing of what is written.
 */
final class WriteAnswers {
    private final long beganNanos = System.nanoTime();

    // Guarded by this: shared between the request's thread and the threads that receive responses.
    private final List<Long> messages = new ArrayList<>(3);
    private final Set<InetAddressAndPort> rejecters = new HashSet<>(4);
    private Outcome outcome = Outcome.UNDECIDED;
    private int asked;
    private LimitCounts counts;
    private boolean applied;
    private boolean counted;

    /** A write of the request leaves with this message. */
    synchronized void sent(long message) {
        messages.add(message);
    }

    /** A replica has rejected the request, before or after the client's answer. */
    synchronized void rejected(InetAddressAndPort replica) {
        rejecters.add(replica);
    }

    /** A replica has applied the write, before or after the client's answer. */
    synchronized void applied() {
        applied = true;
        countOncePartlyApplied();
    }

    /**
     * The client has got its answer.
     *
     * @param asked how many decisions replicas were asked for
     * @param counts of the table whose limit rejected the request; null if none did
     */
    synchronized void end(Outcome outcome, int asked, LimitCounts counts) {
        this.outcome = outcome;
        this.asked = asked;
        this.counts = counts;
        countOncePartlyApplied();
    }

    private void countOncePartlyApplied() {
        if (applied && outcome == Outcome.REJECTED && !counted) {
            counted = true;
            counts.partlyApplied.increment();
        }
    }

    /** Whether an outstanding answer may still show that a replica applied a write whose client got a rejection. */
    synchronized boolean areAwaited() {
        return outcome == Outcome.UNDECIDED || outcome == Outcome.REJECTED && !counted && rejecters.size() < asked;
    }

    /** Whether every one of the replicas rejected the request. */
    synchronized boolean areRejectionsOf(Set<InetAddressAndPort> replicas) {
        return rejecters.containsAll(replicas);
    }

    /** The messages that carried the request's writes. */
    synchronized List<Long> messages() {
        return List.copyOf(messages);
    }

    /** The start of the request, on the clock of System.nanoTime(). */
    long beganNanos() {
        return beganNanos;
    }
}
