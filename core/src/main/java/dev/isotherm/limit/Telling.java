// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.limit;

/** Which admitted operations the other replicas are told of, and when. */
final class Telling {
    /*
     * A coordinator whose operations on a partition come further apart than SPACING / limit seconds, as
     * far as it knows, tells nobody: all replicas of one partition together stay below the limit then.
     * Of a large limit's operations one in oneIn(limit) is told and stands for all of these: at most
     * about 1/32 of a second's worth, which is small beside the burst.
     */

    /** Above any usual number of replicas. */
    static final int SPACING = 6;

    private static final int SAMPLES_PER_SECOND_BITS = 5;

    /** What may stay untold until the next regular message, as a fraction of a second's worth. */
    private static final double URGENT_SECONDS = 0.1;

    private Telling() {}

    /** How many operations one that is told stands for: a power of two. */
    static int oneIn(int limit) {
        return Math.max(1, Integer.highestOneBit(limit >>> SAMPLES_PER_SECOND_BITS));
    }

    static boolean isSample(int limit, int random) {
        return (random & (oneIn(limit) - 1)) == 0;
    }

    /** Operations that should be told at once when they are untold. */
    static double urgentOperations(int limit) {
        return Math.max(1, limit * URGENT_SECONDS);
    }
}
