// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import dev.isotherm.common.AdaptiveRatio;
import dev.isotherm.common.DecayedRatio;
import dev.isotherm.common.EventVariance;

/**
 * How long a wait for the disk keeps it busy, without the wait in the disk's queue, from what waits take. Any thread
 * may add a time, without a lock or an allocation; one thread settles.
 */
final class WaitTimes {
    /*
     * A disk with a queue lets a read wait longer, and that says how much the node was given, not how fast the disk is:
     * shares by it would swing. The reads that found no queue have the service time, so it is the lower quartile of the
     * last times.
     *
     * While all caches are cold, as after a power cut, every read finds a queue for some time. Where it is longest by
     * chance the quartile is largest, whose node then would get least, and its neighbours its queue. But a disk of
     * which the reads, as long as they took when they took least, would need less than all of the time, has no queue
     * for long: longer times than that are its own. If they would need more it may be the one or the other, and the
     * least quartile of twenty seconds counts; of a process that has just started what the settings say of a wait is
     * one. The price: a disk that becomes slower under such a load costs more only after these twenty seconds.
     * Meanwhile what its reads wait for is the guard's.
     */
    private static final int WINDOW = 64;
    /** For so long a busy disk may have a queue without an end, before it counts as slower. */
    private static final long QUEUE_NANOS = 20_000_000_000L;
    /** For about so long the load of the disk is looked at. */
    private static final long LOAD_NANOS = 1_000_000_000L;
    /** Until so many have waited, a wait takes what the settings say of a cold node. */
    private static final int FEW = 8;

    private final RecentTimes times = new RecentTimes(WINDOW);
    private final RecentLeast least;
    private final DecayedRatio load;
    private final AdaptiveRatio nanos;

    /**
     * @param smoothingNanos the time constant of the moving average, 1 or above
     * @param firstNanos what a wait is taken to last before one was seen
     */
    WaitTimes(long smoothingNanos, long firstNanos, long nowNanos) {
        nanos = new AdaptiveRatio(EventVariance.OF_TIME, smoothingNanos, firstNanos, FEW, WINDOW, nowNanos);
        load = new DecayedRatio(LOAD_NANOS, 0, 1, nowNanos);
        least = new RecentLeast(QUEUE_NANOS, nowNanos);
        least.add(firstNanos, nowNanos);
    }

    /** Sets the time constant of the moving average, 1 or above; the average itself stays. */
    void setSmoothing(long smoothingNanos) {
        nanos.setSmoothing(smoothingNanos);
    }

    /** Adds what a wait took, its queue included. */
    void add(long waitNanos) {
        times.add(waitNanos);
    }

    /**
     * Brings the time up to date.
     *
     * @param newTimes the times that have been added since the last call, 0 or above
     * @param allWaits the waits since the last call, those included of which no time was added; 0 or above
     * @param elapsedNanos since the last call, above 0
     */
    void settle(long newTimes, double allWaits, long elapsedNanos, long nowNanos) {
        if (newTimes <= 0 || times.count() < FEW) {
            load.add(0, elapsedNanos, nowNanos);
            return;
        }
        double quartile = times.lowerQuartile();
        double leastLately = least.add(quartile, nowNanos);
        load.add(allWaits * leastLately, elapsedNanos, nowNanos);
        boolean mayQueue = Math.max(load.value(), allWaits * leastLately / elapsedNanos) >= 1;
        nanos.add((mayQueue ? leastLately : quartile) * newTimes, newTimes, nowNanos);
    }

    /** Nanoseconds. */
    double value() {
        return nanos.value();
    }

    /** By how much chance alone may spread {@link #value()}, nanoseconds. For the thread that settles. */
    double error() {
        return nanos.error();
    }
}
