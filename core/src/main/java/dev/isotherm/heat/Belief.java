// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

/** The heat last believed of one node, and when it was last heard of. */
final class Belief {
    final Heat heat;
    /** Written without a lock: of two threads that refresh at once either may win, both being recent. */
    private volatile long heardNanos;

    Belief(Heat heat, long nowNanos) {
        this.heat = heat;
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
