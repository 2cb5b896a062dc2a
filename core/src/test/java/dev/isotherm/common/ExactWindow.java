// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.common;

import java.util.ArrayList;
import java.util.List;

/**
 * The reference of {@link AdaptiveWindow}: every lump is kept by itself, in lists of 1, 2, 4 ... lumps, and every sum
 * is taken anew.
 */
final class ExactWindow {
    private static final int MOST_LUMPS_IN_BUCKET = 2048;

    private static final class Lump {
        double numerator;
        double denominator;
        /** The variance that it shows beside the lump before it. */
        double shown;

        double ratio() {
            return numerator / denominator;
        }
    }

    private final EventVariance model;
    /** From the oldest to the newest, without the lump that grows. */
    private final List<List<Lump>> buckets = new ArrayList<>();

    private Lump growing = new Lump();
    private Lump before;

    ExactWindow(EventVariance model) {
        this.model = model;
    }

    void add(double numerator, double denominator) {
        growing.numerator += numerator;
        growing.denominator += denominator;
        for (int kept = clearestCut(); kept > 0; kept = clearestCut()) {
            drop(kept);
        }
    }

    void endLump() {
        if (growing.denominator == 0) {
            return;
        }
        if (before != null) {
            double difference = growing.ratio() - before.ratio();
            growing.shown = difference * difference / (1 / growing.denominator + 1 / before.denominator);
        }
        before = growing;
        buckets.add(new ArrayList<>(List.of(growing)));
        growing = new Lump();
        for (int size = 1; ofSize(size) > 3; size *= 2) {
            int oldest = 0;
            while (buckets.get(oldest).size() != size) {
                oldest++;
            }
            if (size == MOST_LUMPS_IN_BUCKET) {
                drop(1);
                return;
            }
            buckets.get(oldest).addAll(buckets.remove(oldest + 1));
        }
    }

    private long ofSize(int size) {
        return buckets.stream().filter(bucket -> bucket.size() == size).count();
    }

    private void drop(int count) {
        buckets.subList(0, count).clear();
        if (buckets.isEmpty()) {
            before = null;
        } else if (buckets.get(0).size() == 1) {
            buckets.get(0).get(0).shown = 0;
        }
    }

    /** How many of the oldest buckets came before the clearest change; 0 if there is none. */
    private int clearestCut() {
        double clearest = 1;
        int at = 0;
        // Of equally clear changes the newest.
        for (int cut = buckets.size(); cut > 0; cut--) {
            double[] older = sums(0, cut, false);
            double[] newer = sums(cut, buckets.size(), true);
            if (older[1] > 0 && newer[1] > 0) {
                double clear = clearness(older, newer);
                if (clear > clearest) {
                    clearest = clear;
                    at = cut;
                }
            }
        }
        return at;
    }

    private double clearness(double[] older, double[] newer) {
        double one = older[0] / older[1];
        double other = newer[0] / newer[1];
        double inverse = 1 / older[1] + 1 / newer[1];
        double length = 7.5 + Math.log((older[1] + newer[1]) / Math.min(older[1], newer[1]));
        double s2 = variance(Math.max(model.at(one), model.at(other)));
        double byChance = Math.sqrt(2 * s2 * length * inverse) + 2.0 / 3 * length * s2 / Math.max(one, other) * inverse;
        return Math.abs(one - other) / Math.max(0.01 * Math.max(one, other), byChance);
    }

    private double variance(double ofIndependent) {
        int lumps = 0;
        double sum = 0;
        for (List<Lump> bucket : buckets) {
            for (Lump lump : bucket) {
                sum += lump.shown;
                lumps++;
            }
        }
        double shown = lumps < 8 ? 0 : sum / lumps;
        return Math.max(ofIndependent, Math.min(4 * ofIndependent, shown));
    }

    private double[] sums(int from, int to, boolean withGrowing) {
        double numerator = withGrowing ? growing.numerator : 0;
        double denominator = withGrowing ? growing.denominator : 0;
        for (List<Lump> bucket : buckets.subList(from, to)) {
            for (Lump lump : bucket) {
                numerator += lump.numerator;
                denominator += lump.denominator;
            }
        }
        return new double[] {numerator, denominator};
    }

    /** Numerator and denominator of the newest buckets that hold half of the events. */
    private double[] newerHalf() {
        double half = sums(0, buckets.size(), true)[1] / 2;
        int from = buckets.size();
        while (from > 0 && sums(from, buckets.size(), true)[1] < half) {
            from--;
        }
        return sums(from, buckets.size(), true);
    }

    double value() {
        return newerHalf()[0] / newerHalf()[1];
    }

    double weight() {
        return newerHalf()[1];
    }

    double error(double mean, double events) {
        return Math.sqrt(variance(model.at(mean)) / events);
    }
}
