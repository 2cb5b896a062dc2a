// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

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
    private static final int BUCKETS = 68;
    private static final int LEAST_EXPONENT = 16;
    private static final double QUANTILE = 0.99;
    private static final double THREE_IN_FOUR = 0.75;
    /** With fewer answers than this the percentile would be the largest round trip or nearly so. */
    private static final double LEAST_ANSWERS = 100;

    private static final double LEAST_RECENT_ANSWERS = 20;
    private static final double KEPT_OF_RECENT = Math.exp(-1 / 10.0);

    private static final VarHandle COUNT = MethodHandles.arrayElementVarHandle(int[].class);

    private final int[] counts = new int[BUCKETS];
    private final double[] usual = new double[BUCKETS];
    private final double[] recent = new double[BUCKETS];
    private volatile long tailNanos = -1;
    private double recentAnswers;
    private long recentNanos = -1;
    private long recentThreeInFourNanos = -1;
    private final RecentMean recentMean = new RecentMean();

    void record(long roundTripNanos) {
        COUNT.getAndAdd(counts, bucketOf(roundTripNanos), 1);
    }

    /**
     * Takes the round trips since the last fold into account; called once a second.
     *
     * @param kept the factor by which older round trips count less from now on, 0 to 1
     * @param weight how much each of the new ones counts, 0 to 1
     * @param mostNanos those that take longer are not usual, whatever they are lately
     */
    void fold(double kept, double weight, long mostNanos) {
        int most = bucketOf(mostNanos);
        double usualSum = 0;
        recentAnswers = 0;
        double secondAnswers = 0;
        double secondNanos = 0;
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            int answers = (int) COUNT.getAndSet(counts, bucket, 0);
            usual[bucket] = usual[bucket] * kept + (bucket <= most ? weight * answers : 0);
            recent[bucket] = recent[bucket] * KEPT_OF_RECENT + answers;
            usualSum += usual[bucket];
            recentAnswers += recent[bucket];
            secondAnswers += answers;
            secondNanos += answers * middleNanos(bucket);
        }
        if (usualSum >= LEAST_ANSWERS) {
            // A percentile known earlier stays known: a quiet time teaches nothing of what is usual.
            tailNanos = percentile(QUANTILE, usual, usualSum);
        }
        boolean known = recentAnswers >= LEAST_RECENT_ANSWERS;
        recentNanos = known ? percentile(QUANTILE, recent, recentAnswers) : -1;
        recentThreeInFourNanos = known ? percentile(THREE_IN_FOUR, recent, recentAnswers) : -1;
        recentMean.second(secondAnswers, secondNanos);
    }

    /** Forgets the last seconds, but for their mean; as for what is usual, it is as if they had been folded. */
    void forgetRecent(double weight, long mostNanos) {
        fold(1, weight, mostNanos);
        Arrays.fill(recent, 0);
        recentAnswers = 0;
        recentNanos = -1;
        recentThreeInFourNanos = -1;
    }

    private static long percentile(double quantile, double[] histogram, double sum) {
        double above = sum * (1 - quantile);
        int bucket = BUCKETS - 1;
        for (double seen = histogram[bucket]; seen <= above && bucket > 0; seen += histogram[bucket]) {
            bucket--;
        }
        return upperEdgeNanos(bucket);
    }

    /** The usual 99th percentile in nanoseconds, as of the last fold; -1 before a hundred answers. */
    long nanos() {
        return tailNanos;
    }

    /** The 99th percentile of the last seconds in nanoseconds, as of the last fold; -1 where they had few answers. */
    long recentNanos() {
        return recentNanos;
    }

    /** What three in four answers of the last seconds took at most, nanoseconds; -1 where they had few answers. */
    long recentThreeInFourNanos() {
        return recentThreeInFourNanos;
    }

    /** The part of the answers of the last seconds that surely took longer, 0 to 1; -1 where they had few answers. */
    double recentlyAbove(long nanos) {
        if (recentAnswers < LEAST_RECENT_ANSWERS) {
            return -1;
        }
        double above = 0;
        for (int bucket = bucketOf(nanos) + 1; bucket < BUCKETS; bucket++) {
            above += recent[bucket];
        }
        return above / recentAnswers;
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
