// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

/**
 * For how long a coordinator needs more reason to move reads, as moving them has only made other queues longer: ten
 * seconds, and each time that it happens again within a minute after that twice as long, a minute at most. For the
 * first of them it moves none: the queues are those of reads that come back only now. For one thread.
 */
final class VainMoves {
    static final long FIRST_NANOS = 10_000_000_000L;
    static final long LONGEST_NANOS = 60_000_000_000L;
    static final long COME_BACK_NANOS = 1_000_000_000L;

    private boolean any;
    private long foundNanos;
    private long lastedNanos;

    /** Moving reads was in vain. */
    void found(long nowNanos) {
        if (!any || nowNanos - untilNanos() > LONGEST_NANOS) {
            lastedNanos = FIRST_NANOS;
        } else if (nowNanos - untilNanos() >= 0) {
            lastedNanos = Math.min(2 * lastedNanos, LONGEST_NANOS);
        }
        any = true;
        foundNanos = nowNanos;
    }

    /** It never was so. */
    void forget() {
        any = false;
    }

    /** Whether the reads that were moved come back only now. */
    boolean comeBack(long nowNanos) {
        return any && nowNanos - foundNanos < COME_BACK_NANOS;
    }

    /** Whether it was so lately. */
    boolean areRecent(long nowNanos) {
        return any && nowNanos - untilNanos() < 0;
    }

    private long untilNanos() {
        return foundNanos + lastedNanos;
    }
}
