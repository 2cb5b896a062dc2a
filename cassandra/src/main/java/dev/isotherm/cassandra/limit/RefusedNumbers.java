// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import dev.isotherm.common.SplitMix64;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The statements that this node has refused lately, by their partition, their coordinator and the number by which they
 * were decided: a further message of one is refused too. A number comes again after a while; what was decided about it
 * last counts. The newest statement of those that share a place stays. Thread safe, in fixed memory.
 */
final class RefusedNumbers {
    /** A power of two: seconds of refusals at some thousand a second, 32 KiB. */
    private static final int PLACES = 4096;

    private final AtomicLongArray refused = new AtomicLongArray(PLACES);

    /** A statement as these methods take it. */
    static long statement(long partition, Object coordinator, int random) {
        // Zero is an empty place.
        return SplitMix64.mix(partition ^ SplitMix64.mix((long) coordinator.hashCode() << 32 | random & 0xFFFFFFFFL))
                | 1;
    }

    /** Notes what was decided about the statement's first message. */
    void decided(long statement, boolean isRefused) {
        int place = placeOf(statement);
        if (isRefused) {
            refused.set(place, statement);
        } else if (refused.get(place) == statement) {
            refused.compareAndSet(place, statement, 0);
        }
    }

    /** Whether the statement was refused when it was decided about last, and is not forgotten yet. */
    boolean has(long statement) {
        return refused.get(placeOf(statement)) == statement;
    }

    private static int placeOf(long statement) {
        return (int) (statement >>> 32) & PLACES - 1;
    }
}
