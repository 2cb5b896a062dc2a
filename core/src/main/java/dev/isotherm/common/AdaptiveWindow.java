// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.common;

import java.util.Arrays;

/**
 * The longest recent stretch of a stream in which the ratio of two sums has not changed: after a change only what came
 * after it counts, and then more and more. Used by one thread; takes 1.3 kB at most, however long the stretch is.
 */
final class AdaptiveWindow {
    /*
     * Adaptive windowing: A. Bifet, R. Gavalda, Learning from time-changing data with adaptive windowing, SDM 2007. The
     * stretch is cut where its older and its newer part differ by more than chance explains. For parts with n0 and n1
     * events, the variance s^2 of one event and 1/m = 1/n0 + 1/n1, chance explains
     *
     *     e = sqrt(2 s^2 L / m) + 2/3 L b / m,
     *
     * with L = 7.5 + ln((n0 + n1) / min(n0, n1)): four standard errors for halves, and more for short parts, of which
     * there are more by which chance could mislead. The second term is Bernstein's, for events that are rare and large:
     * b is the size of one, and s^2 over the mean is that size for misses, for waits of a disk and for requests that
     * come by chance.
     *
     * The variance is that of what really comes, with its bursts: the squared difference of two neighbouring lumps of
     * events, over the sum of their 1/n, is s^2 in the mean, and a change of the ratio spoils only one (von Neumann's
     * successive differences). Few lumps may show none by chance, and a ratio that swings shows too much to tell a
     * change from; so it counts as no less than what independent events have, and as at most four times that.
     *
     * Lumps lie in buckets of 1, 2, 4 ... lumps, at most three of each size, so that the newer a change is, the more
     * exactly its place is known.
     *
     * A ratio that changes slowly has changed most since the beginning of the stretch, so what is asked for is the
     * ratio over the newer half.
     */
    private static final double LOG_OF_CHANCE = 7.5;

    private static final double MOST_VARIANCE = 4;
    /** Smaller changes, as a part of the ratio, count as none. */
    private static final double LEAST_PART = 0.01;
    /** Fewer lumps do not tell their variance. */
    private static final int FEWEST = 8;

    private static final int SAME_SIZE = 3;
    private static final int SIZES = 12;
    private static final int MOST = SAME_SIZE * SIZES + 1;
    /** There are as many windows as tables, most of which have few lumps. */
    private static final int FIRST_BUCKETS = 8;

    private final EventVariance model;
    /** Buckets from the oldest to the newest; the newest one, at {@link #last}, is a lump that still grows. */
    private double[] numerators = new double[FIRST_BUCKETS];

    private double[] denominators = new double[FIRST_BUCKETS];
    /** The sum of the variances that the bucket's lumps show, each beside the lump before it. */
    private double[] variances = new double[FIRST_BUCKETS];

    private int[] lumps = new int[FIRST_BUCKETS];
    private int last;

    private double newerNumerator;
    private double newerDenominator;
    private double numerator;
    private double denominator;
    private double variance;
    private int wholeLumps;
    private double before = Double.NaN;
    private double beforeDenominator;

    AdaptiveWindow(EventVariance model) {
        this.model = model;
    }

    /** Adds events to the lump that grows, and drops what came before a change. */
    void add(double numerator, double denominator) {
        numerators[last] += numerator;
        denominators[last] += denominator;
        this.numerator += numerator;
        this.denominator += denominator;
        while (cut()) {
            continue;
        }
        halve();
    }

    /** Ends the lump that grows, if it has any events. */
    void endLump() {
        if (denominators[last] == 0) {
            return;
        }
        double ratio = numerators[last] / denominators[last];
        double difference = ratio - before;
        double shown = difference * difference / (1 / denominators[last] + 1 / beforeDenominator);
        variances[last] = Double.isNaN(shown) ? 0 : shown;
        variance += variances[last];
        before = ratio;
        beforeDenominator = denominators[last];
        makeRoom();
        lumps[last++] = 1;
        wholeLumps++;
        merge();
    }

    private void makeRoom() {
        if (last + 1 == lumps.length) {
            int buckets = Math.min(MOST + 1, 2 * lumps.length);
            numerators = Arrays.copyOf(numerators, buckets);
            denominators = Arrays.copyOf(denominators, buckets);
            variances = Arrays.copyOf(variances, buckets);
            lumps = Arrays.copyOf(lumps, buckets);
        }
    }

    private void merge() {
        int newest = last - 1;
        for (int size = 1; newest >= SAME_SIZE && lumps[newest - SAME_SIZE] == size; size *= 2) {
            int oldest = newest - SAME_SIZE;
            if (size == 1 << SIZES - 1) {
                drop(1);
                return;
            }
            numerators[oldest] += numerators[oldest + 1];
            denominators[oldest] += denominators[oldest + 1];
            variances[oldest] += variances[oldest + 1];
            lumps[oldest] *= 2;
            move(oldest + 2, oldest + 1);
            newest = oldest;
        }
    }

    /** Drops what came before the clearest change; returns whether there was one. */
    private boolean cut() {
        double shown = shown();
        double clearest = 1;
        int at = 0;
        double sum = 0;
        double count = 0;
        for (int bucket = last; bucket > 0; bucket--) {
            sum += numerators[bucket];
            count += denominators[bucket];
            double olderCount = denominator - count;
            if (count > 0 && olderCount > 0) {
                double newer = sum / count;
                double older = (numerator - sum) / olderCount;
                double difference = Math.abs(newer - older) / allowed(shown, newer, older, count, olderCount);
                if (difference > clearest) {
                    clearest = difference;
                    at = bucket;
                }
            }
        }
        drop(at);
        return at > 0;
    }

    private double allowed(double shown, double newer, double older, double newerCount, double olderCount) {
        double most = Math.max(newer, older);
        double s2 = bounded(shown, Math.max(model.at(newer), model.at(older)));
        double inverse = 1 / newerCount + 1 / olderCount;
        double logOfChance = LOG_OF_CHANCE + Math.log(denominator / Math.min(newerCount, olderCount));
        double byChance = Math.sqrt(2 * s2 * logOfChance * inverse) + 2 * logOfChance * s2 / most * inverse / 3;
        return Math.max(LEAST_PART * most, byChance);
    }

    /** The variance of one event that the lumps show; 0 while they are too few. */
    private double shown() {
        return wholeLumps < FEWEST ? 0 : variance / wholeLumps;
    }

    private static double bounded(double shown, double least) {
        return Math.max(least, Math.min(MOST_VARIANCE * least, shown));
    }

    /** Drops the oldest buckets. */
    private void drop(int buckets) {
        if (buckets == 0) {
            return;
        }
        move(buckets, 0);
        if (last > 0 && lumps[0] == 1) {
            // The first lump differs from the one before it by the change.
            variances[0] = 0;
        }
        numerator = 0;
        denominator = 0;
        variance = 0;
        wholeLumps = 0;
        for (int bucket = 0; bucket <= last; bucket++) {
            numerator += numerators[bucket];
            denominator += denominators[bucket];
            variance += variances[bucket];
            wholeLumps += lumps[bucket];
        }
        if (last == 0) {
            before = Double.NaN;
        }
    }

    /** Moves the buckets from a place on, the growing lump too, to an earlier place. */
    private void move(int from, int to) {
        int count = last - from + 1;
        for (double[] values : new double[][] {numerators, denominators, variances}) {
            System.arraycopy(values, from, values, to, count);
            Arrays.fill(values, to + count, last + 1, 0);
        }
        System.arraycopy(lumps, from, lumps, to, count);
        Arrays.fill(lumps, to + count, last + 1, 0);
        last = to + count - 1;
    }

    /** Finds the newer half: half of the events at least. */
    private void halve() {
        int bucket = last;
        newerNumerator = numerators[last];
        newerDenominator = denominators[last];
        while (bucket > 0 && newerDenominator < denominator / 2) {
            bucket--;
            newerNumerator += numerators[bucket];
            newerDenominator += denominators[bucket];
        }
    }

    /** The ratio over the newer half of the stretch; NaN without an event. */
    double value() {
        return newerNumerator / newerDenominator;
    }

    /** The denominator of the newer half: the number of events behind the ratio. */
    double weight() {
        return newerDenominator;
    }

    /** The standard error of a mean over so many events with the variance of these. */
    double error(double mean, double events) {
        return Math.sqrt(bounded(shown(), model.at(mean)) / events);
    }
}
