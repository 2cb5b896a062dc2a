// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

/**
 * How fast the guard learns how long a replica's reads usually take: over about a minute, and of an avoided replica
 * twenty times more slowly, since what that takes is hardly its usual time. What takes much longer than elsewhere it
 * does not learn of an avoided replica at all: a fault that lasts does not become usual while there is a way around it.
 */
final class Learning {
    /** Time constant, in seconds, by which the guard learns of a replica in use. */
    static final int SECONDS = 60;

    private static final double KEPT_A_SECOND = Math.exp(-1.0 / SECONDS);
    private static final double WEIGHT_WHILE_AVOIDED = 0.05;
    /**
     * Times as long as elsewhere from which on a read takes much longer. Disks differ by less: where one is slow for
     * good, its replica gets its share again, and the costs say which.
     */
    static final int MUCH_LONGER = 4;

    private Learning() {}

    /**
     * The longest read that is learned of.
     *
     * @param elsewhereNanos what one takes elsewhere; -1 if that is not known
     */
    static long mostNanos(boolean inUse, GuardSettings settings, long elsewhereNanos) {
        return inUse ? Long.MAX_VALUE : muchLongerNanos(settings, elsewhereNanos);
    }

    /**
     * The time from which on a read takes much longer than elsewhere, whatever else it takes.
     *
     * @param elsewhereNanos what one takes elsewhere; -1 if that is not known
     */
    static long muchLongerNanos(GuardSettings settings, long elsewhereNanos) {
        return muchLongerNanos(settings.leastPatienceNanos(), elsewhereNanos);
    }

    /** @param leastNanos less than that is not long, whatever a read takes elsewhere */
    static long muchLongerNanos(long leastNanos, long elsewhereNanos) {
        return elsewhereNanos < 0 ? Long.MAX_VALUE : Math.max(leastNanos, MUCH_LONGER * elsewhereNanos);
    }

    /** The weight of what was seen in the last second, above 0 and at most 1. */
    static double weight(boolean inUse) {
        return inUse ? 1 : WEIGHT_WHILE_AVOIDED;
    }

    /** The part that is kept each second of what was learned before, above 0 and below 1. */
    static double kept(boolean inUse) {
        return 1 - (1 - KEPT_A_SECOND) * weight(inUse);
    }
}
