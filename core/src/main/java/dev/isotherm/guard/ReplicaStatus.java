// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

/** What a coordinator sees of one replica's reads at one instant, for operators. Immutable. */
public final class ReplicaStatus {
    private final String state;
    private final String reason;
    private final long forNanos;
    private final int unanswered;
    private final long oldestNanos;
    private final long patienceNanos;

    ReplicaStatus(String state, String reason, long forNanos, int unanswered, long oldestNanos, long patienceNanos) {
        this.state = state;
        this.reason = reason;
        this.forNanos = forNanos;
        this.unanswered = unanswered;
        this.oldestNanos = oldestNanos;
        this.patienceNanos = patienceNanos;
    }

    /** The same where the guard is switched off: the replica is used, whatever the guard sees. */
    public ReplicaStatus switchedOff() {
        return new ReplicaStatus("off", "", -1, unanswered, oldestNanos, patienceNanos);
    }

    /** {@code used}, {@code avoided}, {@code tried}, {@code out} or {@code off}. */
    public String state() {
        return state;
    }

    /** Why the replica is not used; empty while it is. */
    public String reason() {
        return reason;
    }

    /** How long the replica has been avoided, in nanoseconds; -1 while it is used. */
    public long forNanos() {
        return forNanos;
    }

    /** Reads without an answer; of this node, the tasks of its read threads. */
    public int unanswered() {
        return unanswered;
    }

    /** The age of the oldest of them in nanoseconds; -1 if there is none or it is not known. */
    public long oldestNanos() {
        return oldestNanos;
    }

    /** The time after which a read of the replica is late, in nanoseconds. */
    public long patienceNanos() {
        return patienceNanos;
    }
}
