// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.limit;

/** Which admitted operations the other replicas are told of, and when. */
final class SharingRule {
    /*
     * A coordinator whose operations on a partition come further apart than SPACING / limit seconds, as
     * far as it knows, tells nobody: all replicas of one partition together stay below the limit then.
     * Up to TINY the few that N coordinators would admit unheard are too large a part of the limit.
     */

    /** Above any usual number of replicas. */
    private static final int SPACING = 6;

    /** Up to this limit a second everything is told: one operation a replica is much of a burst. */
    private static final int TINY = 32;

    /** What may stay untold until the next regular message, as a fraction of a second's worth. */
    private static final double URGENT_SECONDS = 0.01;

    private SharingRule() {}

    /**
     * @param idle how long ago the partition's debt was paid off, in units; below 0 when it is in debt
     * @param period 1 / limit, in units
     */
    static boolean isTold(int limit, long idle, double period) {
        return limit <= TINY || idle < (SPACING - 1) * period;
    }

    /** Operations that should be told at once when they are untold. */
    static double urgentOperations(int limit) {
        return limit * URGENT_SECONDS;
    }
}
