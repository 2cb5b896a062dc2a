// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import java.util.Arrays;

/** What most round trips of a replica took over about the last three seconds. For one thread. */
/*
 * A few seconds are enough to tell a half or a quarter of the round trips, and no more: a pause is over by then, and
 * what becomes longer by a quarter each second is not yet twice as long.
 */
final class LatestRoundTrips {
    private static final double KEPT_A_SECOND = Math.exp(-1 / 3.0);
    private static final double LEAST_ANSWERS = 10;

    private final double[] counts = new double[RoundTripTail.BUCKETS];
    private double answers;

    /** A second ends; the answers that it had follow. */
    void beginSecond() {
        answers *= KEPT_A_SECOND;
        for (int bucket = 0; bucket < counts.length; bucket++) {
            counts[bucket] *= KEPT_A_SECOND;
        }
    }

    void add(int bucket, int ofBucket) {
        counts[bucket] += ofBucket;
        answers += ofBucket;
    }

    void clear() {
        Arrays.fill(counts, 0);
        answers = 0;
    }

    /** What this part of the round trips took at most, nanoseconds; -1 where there were few answers. */
    long nanos(double part) {
        return answers < LEAST_ANSWERS ? -1 : RoundTripTail.percentile(part, counts, answers);
    }

    /** The part of the round trips that surely took longer, 0 to 1; -1 where there were few answers. */
    double partAbove(long nanos) {
        if (answers < LEAST_ANSWERS) {
            return -1;
        }
        double above = 0;
        for (int bucket = RoundTripTail.bucketOf(nanos) + 1; bucket < counts.length; bucket++) {
            above += counts[bucket];
        }
        return above / answers;
    }
}
