// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * How long a replica's round trips take at most, but for a few: usually, over about the last minute in use, and lately,
 * over the last seconds. Any thread records; one thread {@linkplain #fold folds}.
 */
final class RoundTripTail {
    /*
     * A histogram with four buckets to the octave from 64 microseconds to 8.6 s. A bucket is at most a quarter wider
     * than its lower edge, and the percentile is the upper edge of its bucket: too high by at most a quarter. A fold
     * takes the counts since the last one into decayed counts.
     */
    static final int BUCKETS = 68;
    private static final int LEAST_EXPONENT = 16;
    private static final double QUANTILE = 0.99;
    /** Times the longest of the latest answers beyond which what was learned is not usual any more. */
    private static final int OVER = 2;

    private static final double LEAST_RECENT_ANSWERS = 20;
    private static final double KEPT_OF_RECENT = Math.exp(-1 / 10.0);

    private static final VarHandle COUNT = MethodHandles.arrayElementVarHandle(int[].class);

    private final int[] counts = new int[BUCKETS];
    private final int[] second = new int[BUCKETS];
    private final double[] recent = new double[BUCKETS];
    private long recentNanos = -1;
    private long mostNanos = Long.MAX_VALUE;
    private final UsualRoundTrips usual = new UsualRoundTrips();
    private final LongestLately longestLately = new LongestLately();
    private final RecentMean recentMean = new RecentMean();
    private final LatestRoundTrips latest = new LatestRoundTrips();
    private boolean latestBegins;

    void record(long roundTripNanos) {
        COUNT.getAndAdd(counts, bucketOf(roundTripNanos), 1);
    }

    /**
     * Takes the round trips since the last fold into account; called once a second.
     *
     * @param kept the factor by which older round trips count less from now on, 0 to 1
     * @param weight how much each of the new ones counts, 0 to 1
     * @param usualMostNanos those that take longer are not usual, whatever they are lately
     */
    void fold(double kept, double weight, long usualMostNanos) {
        int answers = 0;
        double nanos = 0;
        double recentSum = 0;
        int highest = -1;
        latest.beginSecond();
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            int ofBucket = (int) COUNT.getAndSet(counts, bucket, 0);
            second[bucket] = ofBucket;
            recent[bucket] = recent[bucket] * KEPT_OF_RECENT + ofBucket;
            latest.add(bucket, ofBucket);
            answers += ofBucket;
            nanos += ofBucket * middleNanos(bucket);
            recentSum += recent[bucket];
            highest = ofBucket > 0 ? bucket : highest;
        }
        usual.second(second, kept, weight, bucketOf(usualMostNanos));
        int longest = longestLately.second(highest, answers);
        mostNanos = longest < 0 ? Long.MAX_VALUE : OVER * upperEdgeNanos(longest);
        if (longest >= 0) {
            usual.forgetHardFrom(mostNanos);
        }
        // What an overload took weighs for long after it: none of the latest answers took longer than their longest.
        long longestNanos = longest < 0 ? Long.MAX_VALUE : upperEdgeNanos(longest);
        recentNanos =
                recentSum < LEAST_RECENT_ANSWERS ? -1 : Math.min(longestNanos, percentile(QUANTILE, recent, recentSum));
        recentMean.second(answers, nanos);
        if (latestBegins) {
            latest.clear();
            latestBegins = false;
        }
    }

    /** What took longer was not usual, although it was learned. */
    void unlearnAbove(long nanos) {
        usual.forgetAbove(nanos);
    }

    /** What was seen until now is not of the last few seconds any more. */
    void beginLatest() {
        latest.clear();
        latestBegins = true;
    }

    /** What the round trips of the last few seconds were, as of the last fold. */
    LatestRoundTrips latest() {
        return latest;
    }

    static long percentile(double quantile, double[] histogram, double sum) {
        double above = sum * (1 - quantile);
        int bucket = BUCKETS - 1;
        for (double seen = histogram[bucket]; seen <= above && bucket > 0; seen += histogram[bucket]) {
            bucket--;
        }
        return upperEdgeNanos(bucket);
    }

    /** The usual 99th percentile in nanoseconds, as of the last fold; -1 before a hundred answers. */
    long nanos() {
        return usual.tailNanos();
    }

    /** The 99th percentile of the last seconds in nanoseconds, as of the last fold; -1 where they had few answers. */
    long recentNanos() {
        return recentNanos;
    }

    /** What takes longer is not usual, by the {@linkplain LongestLately latest answers}, nanoseconds. */
    long mostNanos() {
        return mostNanos;
    }

    /** The mean of the last seconds in nanoseconds, of the middles of the buckets; -1 where they had few answers. */
    long recentMeanNanos() {
        return recentMean.nanos();
    }

    static int bucketOf(long nanos) {
        if (nanos < 1L << LEAST_EXPONENT) {
            return 0;
        }
        int exponent = Long.SIZE - 1 - Long.numberOfLeadingZeros(nanos);
        int quarter = (int) (nanos >> exponent - 2) & 3;
        return Math.min(BUCKETS - 1, (exponent - LEAST_EXPONENT) * 4 + quarter);
    }

    private static double middleNanos(int bucket) {
        return (upperEdgeNanos(bucket) + (bucket == 0 ? 0 : upperEdgeNanos(bucket - 1))) / 2.0;
    }

    static long upperEdgeNanos(int bucket) {
        return (5L + (bucket & 3)) << (bucket >> 2) + LEAST_EXPONENT - 2;
    }
}
