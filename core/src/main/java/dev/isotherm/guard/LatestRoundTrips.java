// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import java.util.Arrays;

/** What most round trips of a replica took over about the last three seconds, and in the last one. For one thread. */
/*
 * A few seconds are enough to tell a half or a quarter of the round trips, and no more: a pause is over by then, and
 * what becomes longer by a quarter each second is not yet twice as long.
 */
final class LatestRoundTrips {
    private static final double KEPT_A_SECOND = Math.exp(-1 / 3.0);
    private static final double LEAST_ANSWERS = 10;
    /** Least answers of one second that tell a part of it: of fewer, chance decides too much. */
    private static final int LEAST_OF_A_SECOND = 20;

    private final double[] counts = new double[RoundTripTail.BUCKETS];
    private final double[] lastCounts = new double[RoundTripTail.BUCKETS];
    private double answers;
    private double lastAnswers;

    /** A second ends; the answers that it had follow. */
    void beginSecond() {
        answers *= KEPT_A_SECOND;
        for (int bucket = 0; bucket < counts.length; bucket++) {
            counts[bucket] *= KEPT_A_SECOND;
        }
        Arrays.fill(lastCounts, 0);
        lastAnswers = 0;
    }

    void add(int bucket, int ofBucket) {
        counts[bucket] += ofBucket;
        answers += ofBucket;
        lastCounts[bucket] += ofBucket;
        lastAnswers += ofBucket;
    }

    void clear() {
        Arrays.fill(counts, 0);
        answers = 0;
        Arrays.fill(lastCounts, 0);
        lastAnswers = 0;
    }

    /** The most that this part of the round trips took, nanoseconds; -1 where there were few answers. */
    long nanos(double part) {
        return answers < LEAST_ANSWERS ? -1 : RoundTripTail.percentile(part, counts, answers);
    }

    /** The part of the round trips that surely took longer, 0 to 1; -1 where there were few answers. */
    double partAbove(long nanos) {
        return answers < LEAST_ANSWERS ? -1 : partAbove(nanos, counts, answers);
    }

    /** The same of the last second alone; -1 where that had few. */
    double partAboveAtLast(long nanos) {
        return lastAnswers < LEAST_OF_A_SECOND ? -1 : partAbove(nanos, lastCounts, lastAnswers);
    }

    /** The most that this part of the last second's round trips took, nanoseconds; -1 where it had few. */
    long nanosAtLast(double part) {
        return lastAnswers < LEAST_OF_A_SECOND ? -1 : RoundTripTail.percentile(part, lastCounts, lastAnswers);
    }

    private static double partAbove(long nanos, double[] counts, double answers) {
        double above = 0;
        for (int bucket = RoundTripTail.bucketOf(nanos) + 1; bucket < counts.length; bucket++) {
            above += counts[bucket];
        }
        return above / answers;
    }
}
