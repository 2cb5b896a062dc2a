// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.limit;

/** Decides which admitted operations a node reports to the other replicas, and when. */
final class SharingRule {
    /*
     * A coordinator that knows of operations on a partition only further apart than SPACING / limit seconds reports
     * nothing: all replicas of the partition together then stay below the limit. Up to a limit of TINY everything is
     * reported, because the few operations that N coordinators would admit without a report are too large a part of the
     * limit.
     */

    /**
     * Periods of the limit between two operations from which on none is reported; so many replicas, those of all
     * datacenters together, stay below the limit.
     */
    private static final int SPACING = 16;

    /** Limit a second up to which everything is reported: one operation per replica is a large part of a burst. */
    private static final int TINY = 32;

    /** Unreported operations of fewer seconds' worth of the limit than this wait for the next regular report. */
    private static final double URGENT_SECONDS = 0.01;

    private SharingRule() {}

    /**
     * @param idle the time since the partition's debt was paid off, in units; below 0 while the partition is in debt
     * @param period 1 / limit, in units
     */
    static boolean isTold(int limit, long idle, double period) {
        return limit <= TINY || idle < (SPACING - 1) * period;
    }

    /** The number of unreported operations from which a report is sent at once. */
    static double urgentOperations(int limit) {
        return limit * URGENT_SECONDS;
    }
}
