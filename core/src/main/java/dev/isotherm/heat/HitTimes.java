// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import dev.isotherm.common.AdaptiveRatio;
import dev.isotherm.common.EventVariance;

/**
 * How long reads take that do not wait for the disk, and what of it is a node's cost. Any thread may add a time,
 * without a lock and, but for the first, without an allocation; one thread settles.
 */
final class HitTimes {
    /*
     * The lower quartile is the time of a hit that found no queue, unless all find one: while processors have more to
     * do than they can, a hit takes as long as what has piled up. That is dear, but no dearer than a wait for the disk,
     * whose queue counts for nothing: were it, a replica that comes back cold would seem to be the cheapest of all,
     * and get more reads than its disk bears. Hits that take longer than a wait by themselves, as of wide rows, cost
     * what they take: as much as the least quartile of the last hour is no queue's.
     */
    private static final int WINDOW = 64;

    private static final long WITHOUT_QUEUE_NANOS = 3_600_000_000_000L;

    private final RecentTimes times = new RecentTimes(WINDOW);
    private final RecentLeast withoutQueue;
    private final AdaptiveRatio nanos;
    private final AdaptiveRatio cost;

    /** @param smoothingNanos the time constant of the moving averages, 1 or above */
    HitTimes(long smoothingNanos, long nowNanos) {
        withoutQueue = new RecentLeast(WITHOUT_QUEUE_NANOS, nowNanos);
        nanos = average(smoothingNanos, nowNanos);
        cost = average(smoothingNanos, nowNanos);
    }

    private static AdaptiveRatio average(long smoothingNanos, long nowNanos) {
        return new AdaptiveRatio(EventVariance.OF_TIME, smoothingNanos, 0, 1e-3, WINDOW, nowNanos);
    }

    /** Sets the time constant of the moving averages, 1 or above; they themselves stay. */
    void setSmoothing(long smoothingNanos) {
        nanos.setSmoothing(smoothingNanos);
        cost.setSmoothing(smoothingNanos);
    }

    /** Adds what a hit took, its wait for a processor included. */
    void add(long hitNanos) {
        times.add(hitNanos);
    }

    /**
     * Brings the times up to date.
     *
     * @param newTimes the times that have been added since the last call, 1 or above
     * @param waitNanos what a wait for the disk takes, here or on a node that comes back cold, whichever is more
     */
    void settle(long newTimes, double waitNanos, long nowNanos) {
        long quartile = times.lowerQuartile();
        nanos.add((double) quartile * newTimes, newTimes, nowNanos);
        double most = Math.max(waitNanos, withoutQueue.add(quartile, nowNanos));
        cost.add(Math.min(quartile, most) * newTimes, newTimes, nowNanos);
    }

    /** What a hit takes, nanoseconds; 0 at first. */
    double value() {
        return nanos.value();
    }

    /** What a hit costs the node, nanoseconds; 0 at first. */
    double cost() {
        return cost.value();
    }

    /** The standard error of {@link #cost()}, by chance alone, nanoseconds. For the thread that settles. */
    double costError() {
        return cost.error();
    }
}
