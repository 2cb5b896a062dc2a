// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The longest, over about the last minute, that a read took that may take as long as it does. Any thread notes what one
 * took.
 */
/*
 * Each change is repeated until no other came in between: the longest, once lost, would make a replica silent that
 * takes as long again.
 */
final class LongestLasting {
    private final AtomicLong longest = new AtomicLong();

    void took(long roundTripNanos) {
        longest.accumulateAndGet(roundTripNanos, Math::max);
    }

    /** A second has passed. */
    void second() {
        longest.updateAndGet(known -> known - known / Learning.SECONDS);
    }

    long nanos() {
        return longest.get();
    }
}
