// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.balance;

/** A client's read of one partition, at its coordinator. */
final class Request {
    final int partition;
    final long begunNanos;
    private final int needed;
    private final Observations observed;
    private int answers;
    private long lastNanos;

    /** @param needed the answers that it waits for; 0 for a copy that nobody waits for */
    Request(int partition, int needed, long begunNanos, Observations observed) {
        this.partition = partition;
        this.needed = needed;
        this.begunNanos = begunNanos;
        this.observed = observed;
    }

    /** A replica's answer is here at that instant. */
    void answered(long nanos) {
        lastNanos = Math.max(lastNanos, nanos);
        if (++answers == needed) {
            observed.answered(begunNanos, lastNanos - begunNanos);
        }
    }
}
