// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

/** What reads took elsewhere when a replica was excused, for as long as it takes to learn its own usual. One thread. */
final class Excuse {
    private long nanos = -1;
    private long mostNanos = Long.MAX_VALUE;
    private int seconds;

    void begin(long elsewhereNanos) {
        nanos = elsewhereNanos;
        seconds = Learning.SECONDS;
    }

    /** A second has passed. */
    void second() {
        seconds = Math.max(0, seconds - 1);
        nanos = seconds == 0 ? -1 : nanos;
    }

    /** Sets the most that is usual until the next call, by the replica's own latest answers, nanoseconds. */
    void atMost(long mostNanos) {
        this.mostNanos = mostNanos;
    }

    /** What then counts as usual too, nanoseconds; -1 if nothing does. */
    long nanos() {
        return Math.min(nanos, mostNanos);
    }
}
