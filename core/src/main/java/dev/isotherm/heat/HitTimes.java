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
     * do than they can, a hit takes as long as what has piled up. That is dear, but not dearer than a read of the
     * disk, whose queue counts for nothing: where it were, a replica that comes back cold would seem to be the
     * cheapest of all, and get more reads than its disk bears. Where both cost as much the shares are equal, as both
     * are scarce.
     */
    private static final int WINDOW = 64;

    private final RecentTimes times = new RecentTimes(WINDOW);
    private final AdaptiveRatio nanos;
    private final AdaptiveRatio cost;

    /** @param smoothingNanos the time constant of the moving averages, 1 or above */
    HitTimes(long smoothingNanos, long nowNanos) {
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
     * @param mostNanos what a hit costs at most: a wait for the disk, here or on a node that comes back cold
     */
    void settle(long newTimes, double mostNanos, long nowNanos) {
        long quartile = times.lowerQuartile();
        nanos.add((double) quartile * newTimes, newTimes, nowNanos);
        cost.add(Math.min(quartile, mostNanos) * newTimes, newTimes, nowNanos);
    }

    /** What a hit takes, nanoseconds; 0 at first. */
    double value() {
        return nanos.value();
    }

    /** What a hit costs the node, nanoseconds; 0 at first. */
    double cost() {
        return cost.value();
    }

    /** By how much chance alone may spread {@link #cost()}, nanoseconds. For the thread that settles. */
    double costError() {
        return cost.error();
    }
}
