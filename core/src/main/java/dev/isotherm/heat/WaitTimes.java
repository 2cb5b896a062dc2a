// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import dev.isotherm.common.AdaptiveRatio;
import dev.isotherm.common.DecayedRatio;
import dev.isotherm.common.EventVariance;

/**
 * How long a wait for the disk keeps it busy, without the wait in the disk's queue, from what waits take. Any thread
 * may add a time, without a lock and, but for the first, without an allocation; one thread settles.
 */
final class WaitTimes {
    /*
     * A disk with a queue lets a read wait longer, and that says how much the node was given, not how fast the disk is:
     * shares by it would swing. The reads that found no queue have the service time, so it is the lower quartile of the
     * last times.
     *
     * While all caches are cold, as after a power cut, every read finds a queue for some time. Where it is longest by
     * chance the quartile is largest, whose node then would get least, and its neighbours its queue. By Little's law
     * the waits a second times what one takes is how many are at the disk at a time. While that is about one, no queue
     * is why they take so long: it is the disk. Where it is more there may be a queue, or a disk that serves several
     * side by side; the least quartile of twenty seconds counts then, and of a table that nothing was known of lately
     * what was known before is one. The price: a disk that becomes slower under such a load costs more only after
     * these twenty seconds. Meanwhile what its reads wait for is the guard's.
     */
    private static final int WINDOW = 64;
    /** Span of the least quartile. A busy disk may have a queue for as long before it counts as slower. */
    private static final long QUEUE_NANOS = 20_000_000_000L;
    /** Waits at the disk at a time, on average, from which on there may be a queue. */
    private static final double MANY = 1.5;
    /** Waits at the disk at a time below which there is no queue, so that the present time of a wait is known. */
    private static final double HARDLY_ANY = 0.5;
    /** Time constant of the average of the waits at the disk at a time. */
    private static final long COUNTED_NANOS = 1_000_000_000L;
    /** Least timed waits that count; until then a wait takes what the settings say of a cold node. */
    private static final int FEW = 8;

    private final RecentTimes times = new RecentTimes(WINDOW);
    private final RecentLeast least;
    private final DecayedRatio atTheDisk;
    private final AdaptiveRatio nanos;

    /**
     * @param smoothingNanos the time constant of the moving average, 1 or above
     * @param firstNanos what a wait is taken to last before one was seen
     */
    WaitTimes(long smoothingNanos, long firstNanos, long nowNanos) {
        nanos = new AdaptiveRatio(EventVariance.OF_TIME, smoothingNanos, firstNanos, FEW, WINDOW, nowNanos);
        atTheDisk = new DecayedRatio(COUNTED_NANOS, 0, 1, nowNanos);
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
            atTheDisk.add(0, elapsedNanos, nowNanos);
            if (atTheDisk.value() < HARDLY_ANY) {
                least.add(nanos.value(), nowNanos);
            }
            return;
        }
        double quartile = times.lowerQuartile();
        double leastLately = least.add(quartile, nowNanos);
        atTheDisk.add(allWaits * quartile, elapsedNanos, nowNanos);
        nanos.add((atTheDisk.value() < MANY ? quartile : leastLately) * newTimes, newTimes, nowNanos);
    }

    /** Nanoseconds. */
    double value() {
        return nanos.value();
    }

    /** The standard error of {@link #value()}, by chance alone, nanoseconds. For the thread that settles. */
    double error() {
        return nanos.error();
    }
}
