// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

/** What reads took elsewhere when a replica was excused, for as long as it takes to learn its own usual. One thread. */
final class Excuse {
    private long nanos = -1;
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

    /** Takes the most that is usual by the replica's own latest answers, nanoseconds: the excuse is no longer again. */
    void atMost(long mostNanos) {
        nanos = Math.min(nanos, mostNanos);
    }

    /** What then counts as usual too, nanoseconds; -1 if nothing does. */
    long nanos() {
        return nanos;
    }
}
