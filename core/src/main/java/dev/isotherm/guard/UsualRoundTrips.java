// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import java.util.Arrays;

/** How long a replica's round trips usually take at most, but for a few, by those of about a minute. For one thread. */
/*
 * What was learned in seconds in which many answers took much longer than usually is kept apart: it is usual as long as
 * some go on to take as long, and is forgotten once none of the latest does. In an overload of disks those that hit a
 * cache stay quick, and may be most. Where a few of many take long, as of large partitions, now and then, they stay
 * usual for the minute.
 */
final class UsualRoundTrips {
    private static final double QUANTILE = 0.99;
    /** Least answers of a percentile: of fewer it would be the largest round trip or nearly so. */
    private static final double LEAST_ANSWERS = 100;
    /** A second is hard in which more than one in ten answers took longer by far than nine in ten usually do. */
    private static final double HARD = 0.1;

    private static final double NINE_IN_TEN = 0.9;
    /** Times as long as usually. */
    private static final int LONGER = 2;

    /** Decayed counts of round trips by bucket, without those of hard seconds. */
    private final double[] usual = new double[RoundTripTail.BUCKETS];

    private final double[] hard = new double[RoundTripTail.BUCKETS];
    private final double[] all = new double[RoundTripTail.BUCKETS];
    /** The 99th percentile of {@link #usual}; -1 before a hundred answers. */
    private long easyTailNanos = -1;

    private volatile long tailNanos = -1;

    /**
     * Takes a second into account.
     *
     * @param counts its answers by bucket
     * @param kept the factor by which older round trips count less from now on, 0 to 1
     * @param weight how much each of the new ones counts, 0 to 1
     * @param most the highest bucket that is learned of
     */
    void second(int[] counts, double kept, double weight, int most) {
        double[] into = isHard(counts) ? hard : usual;
        for (int bucket = 0; bucket < all.length; bucket++) {
            usual[bucket] *= kept;
            hard[bucket] *= kept;
            into[bucket] += bucket <= most ? weight * counts[bucket] : 0;
        }
        update();
    }

    private boolean isHard(int[] counts) {
        double learned = answersOf(usual);
        if (learned < LEAST_ANSWERS) {
            return false;
        }
        long usually = RoundTripTail.percentile(NINE_IN_TEN, usual, learned);
        int from = RoundTripTail.bucketOf(LONGER * usually);
        int longer = 0;
        int answers = 0;
        for (int bucket = 0; bucket < counts.length; bucket++) {
            answers += counts[bucket];
            longer += bucket > from ? counts[bucket] : 0;
        }
        return longer > HARD * answers;
    }

    private void update() {
        for (int bucket = 0; bucket < all.length; bucket++) {
            all[bucket] = usual[bucket] + hard[bucket];
        }
        easyTailNanos = tailOf(usual, easyTailNanos);
        tailNanos = tailOf(all, tailNanos);
    }

    /** A percentile known earlier stays known: a quiet time teaches nothing of what is usual. */
    private static long tailOf(double[] histogram, long knownNanos) {
        double answers = answersOf(histogram);
        return answers < LEAST_ANSWERS ? knownNanos : RoundTripTail.percentile(QUANTILE, histogram, answers);
    }

    private static double answersOf(double[] histogram) {
        double answers = 0;
        for (double ofBucket : histogram) {
            answers += ofBucket;
        }
        return answers;
    }

    /** Forgets what took longer: it was not usual, although it was learned. */
    void forgetAbove(long nanos) {
        int most = RoundTripTail.bucketOf(nanos);
        Arrays.fill(usual, most + 1, usual.length, 0);
        Arrays.fill(hard, most + 1, hard.length, 0);
        tailNanos = Math.min(tailNanos, RoundTripTail.upperEdgeNanos(most));
    }

    /** Forgets what took as long or longer in hard seconds: it is not usual any more. */
    void forgetHardFrom(long nanos) {
        Arrays.fill(hard, RoundTripTail.bucketOf(nanos), hard.length, 0);
        update();
        // Where too few answers are left for a percentile, the one known earlier stays, and it may be longer.
        tailNanos = Math.min(tailNanos, Math.max(easyTailNanos, nanos));
    }

    /** The 99th percentile in nanoseconds; -1 before a hundred answers. */
    long tailNanos() {
        return tailNanos;
    }
}
