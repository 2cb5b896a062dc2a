// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

/**
 * The known heat of one node for one table (its last report, or a cold heat after a restart), the rate at which it
 * coordinates the table's reads, the placement that it votes for, and the instant of that event.
 */
final class Belief {
    final Heat heat;
    /** Null while it is not known. */
    final RequestRate rate;
    /** Null for none. */
    final Placement vote;
    /** Written without a lock: when two threads refresh at once, either value may remain; both are recent. */
    private volatile long heardNanos;

    Belief(Heat heat, RequestRate rate, Placement vote, long nowNanos) {
        this.heat = heat;
        this.rate = rate;
        this.vote = vote;
        this.heardNanos = nowNanos;
    }

    void refresh(long nowNanos) {
        if (nowNanos - heardNanos > 0) {
            heardNanos = nowNanos;
        }
    }

    long heardNanos() {
        return heardNanos;
    }

    boolean isStale(long staleAfterNanos, long nowNanos) {
        return nowNanos - heardNanos >= staleAfterNanos;
    }
}
