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
        long known = longest.get();
        while (roundTripNanos > known && !longest.compareAndSet(known, roundTripNanos)) {
            known = longest.get();
        }
    }

    /** A second has passed. */
    void second() {
        long known = longest.get();
        while (!longest.compareAndSet(known, known - known / Learning.SECONDS)) {
            known = longest.get();
        }
    }

    long nanos() {
        return longest.get();
    }
}
