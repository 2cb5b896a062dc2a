// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import java.util.Arrays;

/**
 * A table of the subsets of k different replicas from which one number draws, such that each
 * replica is drawn with probability k times its share. Immutable; a draw allocates nothing.
 */
public final class SubsetSampler {
    /*
     * Systematic sampling: lay the shares, each k times as long, one after another on [0, k); the
     * points u, u+1, ..., u+k-1 fall on k replicas, different ones because none is longer than 1,
     * and replica j is hit with probability exactly k * share_j. As u moves from 0 to 1 the subset
     * changes only where a point crosses a border, which is at most once per replica: at most N
     * subsets, known beforehand.
     *
     * The borders are whole multiples of 2^-52, and every comparison is between integers: rounding
     * cannot draw a replica twice or draw fewer than k. A border is moved by at most a few of those.
     */
    private static final double GRID = 0x1p52;
    private static final long UNIT = 1L << 52;

    private final int size;
    private final int k;
    private final double[] starts;
    private final int[] members;

    private SubsetSampler(int size, int k, double[] starts, int[] members) {
        this.size = size;
        this.k = k;
        this.starts = starts;
        this.members = members;
    }

    /**
     * The sampler of these shares.
     *
     * @param shares one per replica, each 0 to 1/k, summing to one
     * @param k replicas per draw, 1 to the number of replicas and at most 1000
     * @throws IllegalArgumentException naming the argument, its value and what is allowed
     */
    public static SubsetSampler of(double[] shares, int k) {
        Allowed.cappedDistribution("shares", shares, k);
        if (k > 1000) throw Allowed.refusal("k", k, "1 to 1000");
        long[] borders = borders(shares, k);

        long[] changes = new long[shares.length];
        for (int j = 0; j < changes.length; j++) changes[j] = borders[j] & (UNIT - 1);
        changes = Arrays.stream(changes).sorted().distinct().toArray();

        double[] starts = new double[changes.length];
        int[] members = new int[changes.length * k];
        for (int s = 0; s < changes.length; s++) {
            starts[s] = changes[s] / GRID;
            int replica = 0;
            for (int point = 0; point < k; point++) {
                while (borders[replica + 1] <= changes[s] + point * UNIT) replica++;
                members[s * k + point] = replica;
            }
        }
        return new SubsetSampler(shares.length, k, starts, members);
    }

    /** N + 1 borders from 0 to k, in grid units, none more than one unit length above the last. */
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
        for (int j = n - 1; j > 0; j--) borders[j] = Math.max(borders[j], borders[j + 1] - UNIT);
        return borders;
    }

    /** How many replicas there are to draw from. */
    public int size() {
        return size;
    }

    /** How many replicas one draw yields. */
    public int k() {
        return k;
    }

    /** How many different subsets can be drawn, at most {@link #size()}. */
    public int subsetCount() {
        return starts.length;
    }

    /** The index of the subset that u, in [0, 1), draws. */
    public int subsetAt(double u) {
        int subset = starts.length - 1;
        while (subset > 0 && !(u >= starts[subset])) subset--;
        return subset;
    }

    /** The least u, in [0, 1), that draws a subset. */
    double startOf(int subset) {
        return starts[subset];
    }

    /** The replica at a position, 0 to k-1, of a subset; positions are in the replicas' order. */
    public int member(int subset, int position) {
        return members[subset * k + position];
    }
}
