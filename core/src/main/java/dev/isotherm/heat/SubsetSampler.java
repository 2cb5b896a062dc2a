// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import dev.isotherm.common.Allowed;
import java.util.Arrays;

/**
 * A table of subsets of k different replicas. One random number draws a subset, such that each replica is drawn with
 * probability k times its share. Immutable.
 */
public final class SubsetSampler {
    /*
     * Systematic sampling: lay the shares, each k times as long, one after another on [0, k); the
     * points u, u+1, ..., u+k-1 fall on k different replicas, and replica j is hit with probability
     * exactly k * share_j.
     *
     * One fixed layout keeps some replicas apart for ever: of four with equal shares and k = 2, the first meets only
     * the third. If pairs are to meet, half of [0, 1) belongs to that layout and half to another sampling with the same
     * probabilities, made of subsets with those pairs and a layout of the remaining lengths. One number decides both
     * the half and the subset. Within a half the number is uniform, so each half draws replica j with probability k *
     * share_j, and so does the whole.
     *
     * The borders are whole multiples of 2^-52 (of a half: 2^-53, as fine as random numbers are), and every comparison
     * is between integers: rounding cannot draw a replica twice or draw fewer than k. Rounding moves a border by at
     * most a few of these multiples.
     */
    private static final double GRID = 0x1p52;
    private static final long UNIT = 1L << 52;

    private final int size;
    private final int k;
    private final double layoutPart;
    private final double[] starts;
    private final int[] members;

    private SubsetSampler(int size, int k, double layoutPart, double[] starts, int[] members) {
        this.size = size;
        this.k = k;
        this.layoutPart = layoutPart;
        this.starts = starts;
        this.members = members;
    }

    /**
     * The sampler with one layout of these shares: the fewest subsets.
     *
     * @param shares one per replica, each 0 to 1/k, summing to one
     * @param k replicas per draw, 1 to the number of replicas and at most 1000
     * @throws IllegalArgumentException naming the argument, its value and what is allowed
     */
    public static SubsetSampler of(double[] shares, int k) {
        return of(new SystematicLayout(checkedBorders(shares, k), UNIT, k), shares.length, k);
    }

    /**
     * As {@link #of}, but of up to nine replicas any two that can meet do meet. Two replicas can meet if both have
     * shares and either one of the shares is 1/k, or at least two of the k places are left by the replicas whose share
     * is 1/k. A probability within 2^-32 of 0 or 1 counts as 0 or 1.
     */
    static SubsetSampler meeting(double[] shares, int k) {
        long[] borders = checkedBorders(shares, k);
        int size = shares.length;
        SystematicLayout layout = new SystematicLayout(borders, UNIT, k);
        // With one replica drawn or one left out the probabilities leave no choice.
        if (k == 1 || size - k <= 1) {
            return of(layout, size, k);
        }
        PairSplits splits = new PairSplits(layout, borders, UNIT, k);
        if (splits.count() == 0) {
            return of(layout, size, k);
        }

        SystematicLayout rest = splits.rest();
        int first = layout.starts.length;
        int others = first + splits.count();
        double[] starts = new double[others + rest.starts.length];
        int[] members = Arrays.copyOf(layout.members, starts.length * k);
        for (int s = 0; s < first; s++) {
            starts[s] = layout.starts[s] / (2 * GRID);
        }
        long start = UNIT;
        for (int s = first; s < others; s++) {
            starts[s] = start / (2 * GRID);
            start += splits.length(s - first);
            splits.writeMembers(s - first, members, s * k);
        }
        for (int s = others; s < starts.length; s++) {
            starts[s] = (start + rest.starts[s - others]) / (2 * GRID);
        }
        System.arraycopy(rest.members, 0, members, others * k, rest.members.length);
        return new SubsetSampler(size, k, 0.5, starts, members);
    }

    private static SubsetSampler of(SystematicLayout layout, int size, int k) {
        double[] starts = new double[layout.starts.length];
        for (int s = 0; s < starts.length; s++) {
            starts[s] = layout.starts[s] / GRID;
        }
        return new SubsetSampler(size, k, 1, starts, layout.members);
    }

    private static long[] checkedBorders(double[] shares, int k) {
        Allowed.cappedDistribution("shares", shares, k);
        if (k > 1000) {
            throw Allowed.refusal("k", k, "1 to 1000");
        }
        return borders(shares, k);
    }

    /** N + 1 borders from 0 to k, in grid units, each at most one unit length above the border before. */
    private static long[] borders(double[] shares, int k) {
        int n = shares.length;
        long[] borders = new long[n + 1];
        double total = 0;
        for (int j = 1; j <= n; j++) {
            total += shares[j - 1];
            long border = Math.min(Math.round(total * k * GRID), k * UNIT);
            borders[j] = Math.min(border, borders[j - 1] + UNIT);
        }
        borders[n] = k * UNIT;
        for (int j = n - 1; j > 0; j--) {
            borders[j] = Math.max(borders[j], borders[j + 1] - UNIT);
        }
        return borders;
    }

    /** The number of replicas to draw from. */
    public int size() {
        return size;
    }

    /** The number of replicas per draw. */
    public int k() {
        return k;
    }

    /**
     * The length of the part of [0, 1), from 0 on, in which u draws from the single layout of the shares: u times this
     * length, u in [0, 1), draws the same replicas as u in {@link #of}'s sampler.
     */
    double layoutPart() {
        return layoutPart;
    }

    /** The number of intervals of u, each with a subset; with {@link #of} at most {@link #size()}. */
    public int subsetCount() {
        return starts.length;
    }

    /** The least u, in [0, 1), that draws a subset. */
    double startOf(int subset) {
        return starts[subset];
    }

    /** The first interval that draws the same replicas as this one. */
    int firstLike(int subset) {
        int like = 0;
        while (!Arrays.equals(members, like * k, (like + 1) * k, members, subset * k, (subset + 1) * k)) {
            like++;
        }
        return like;
    }

    /** The replica at a position, 0 to k-1, of a subset; positions are in the replicas' order. */
    public int member(int subset, int position) {
        return members[subset * k + position];
    }
}
