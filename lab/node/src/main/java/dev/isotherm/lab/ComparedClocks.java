// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.lab;

import org.apache.cassandra.utils.Clock;
import org.apache.cassandra.utils.MonotonicClock;
import org.apache.cassandra.utils.MonotonicClock.AbstractEpochSamplingClock;

/**
 * What Cassandra takes for the age of a message of another node: its monotonic clock, compared with its wall clock.
 *
 * <p>It compares them each ten seconds, and keeps what it has unless the new comparison is about as exact as the
 * last: after a good one it may be minutes until a step of the wall clock tells. Here it is told at once, so that a
 * step lasts as long as the experiment says.
 */
final class ComparedClocks {
    private static final long CLOSE_MILLIS = 100;
    /** Each comparison that is refused lets the next one be a tenth less exact: 1.1^200 is more than any two differ. */
    private static final int AT_MOST = 200;

    private ComparedClocks() {}

    /** Returns when the node takes its wall clock's present for the present. */
    static void compare() {
        AbstractEpochSamplingClock clock = (AbstractEpochSamplingClock) MonotonicClock.Global.preciseTime;
        for (int comparison = 0; comparison < AT_MOST && millisOff() > CLOSE_MILLIS; comparison++) {
            clock.pauseEpochSampling();
            clock.resumeEpochSampling();
        }
        if (millisOff() > CLOSE_MILLIS) {
            throw new IllegalStateException("the node still takes the time for another, by " + millisOff() + " ms");
        }
    }

    /** Returns by how much an instant of the monotonic clock is taken for another one of the wall clock. */
    static long millisOff() {
        MonotonicClock clock = MonotonicClock.Global.preciseTime;
        long taken = clock.translate().toMillisSinceEpoch(clock.now());
        return Math.abs(taken - Clock.Global.currentTimeMillis());
    }
}
