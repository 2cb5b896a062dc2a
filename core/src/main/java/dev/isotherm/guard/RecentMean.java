// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

/** How long a read of one replica took on average in the last seconds. For one thread. */
/*
 * When storage slows down, closed clients send far fewer reads than before: a second of many reads counts as one of
 * twenty, so that a few seconds tell.
 */
final class RecentMean {
    private static final double KEPT_A_SECOND = Math.exp(-1 / 5.0);
    private static final double MOST_OF_A_SECOND = 20;
    private static final double LEAST_READS = 20;

    private double reads;
    private double nanos;

    /** Takes the last second: its reads, and the time in nanoseconds that all of them took. */
    void second(double itsReads, double itsNanos) {
        double weight = Math.min(1, MOST_OF_A_SECOND / Math.max(1, itsReads));
        reads = reads * KEPT_A_SECOND + weight * itsReads;
        nanos = nanos * KEPT_A_SECOND + weight * itsNanos;
    }

    /** The mean in nanoseconds; -1 where there were few reads. */
    long nanos() {
        return reads < LEAST_READS ? -1 : (long) (nanos / reads);
    }
}
