// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import dev.isotherm.common.SplitMix64;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The statements that this node has refused lately, by their partition and the number by which they were decided: a
 * further message of one is refused too. The newest of those that share a place stays. Thread safe, in fixed memory.
 */
final class RefusedNumbers {
    /** A power of two: seconds of refusals at some thousand a second, 32 KiB. */
    private static final int PLACES = 4096;

    private final AtomicLongArray refused = new AtomicLongArray(PLACES);

    /** The statement was refused. */
    void add(long partition, int random) {
        long statement = statement(partition, random);
        refused.set(placeOf(statement), statement);
    }

    /** Whether the statement was refused and is not forgotten yet. */
    boolean has(long partition, int random) {
        long statement = statement(partition, random);
        return refused.get(placeOf(statement)) == statement;
    }

    private static long statement(long partition, int random) {
        // Zero is an empty place.
        return SplitMix64.mix(partition ^ SplitMix64.mix(random)) | 1;
    }

    private static int placeOf(long statement) {
        return (int) (statement >>> 32) & PLACES - 1;
    }
}
