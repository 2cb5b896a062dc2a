// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import java.util.Arrays;

/** Collects the orders of one subset after another, each with the part of [0, 1) that draws it. */
final class OrderRows {
    /*
     * The coordinator leads where it is drawn, for it reads without the network; otherwise each drawn
     * replica leads equally often, since the first sends the data and the others digests. Drawing the
     * rest one after another, each in proportion to its share among those left, divides the leader's
     * part of [0, 1) into one interval per order. A group of three has at most two orders per subset,
     * one of five at most 24. Where it would be more than 30, fewer places are drawn (the first of the
     * rest always) and what follows them is sorted by falling share: a read gets there only when
     * several replicas have failed it.
     */
    private static final int MOST_ORDERS = 30;

    /** Where the last interval ends: no number is at or above it, not even infinity. */
    static final double NO_END = Double.NaN;

    private final int size;
    private final double[] shares;
    private final double[] groupShares;
    private final SubsetSampler sampler;
    private int[] orders = new int[0];
    private double[] ends = new double[0];
    private int count;
    private int drawnEnd;

    OrderRows(double[] shares, double[] groupShares, SubsetSampler sampler) {
        this.size = shares.length;
        this.shares = shares;
        this.groupShares = groupShares;
        this.sampler = sampler;
    }

    /** How many rows there are. */
    int count() {
        return count;
    }

    /** For each row where its part of [0, 1) ends; {@link #NO_END} for the last row of a subset. */
    double[] ends() {
        return Arrays.copyOf(ends, count);
    }

    /** One order of all replicas after another. */
    int[] orders() {
        return Arrays.copyOf(orders, count * size);
    }

    /** Adds the rows of a subset. */
    void add(int subset, int self) {
        int[] order = members(subset, self);
        int leaders = order[0] == self ? 1 : sampler.k();
        drawnEnd = sampler.k() + placesDrawn(size - sampler.k(), leaders);
        for (int leader = 0; leader < leaders; leader++) {
            swap(order, 0, leader);
            add(order, sampler.k(), (double) leader / leaders, 1.0 / leaders);
            swap(order, 0, leader);
        }
        ends[count - 1] = NO_END;
    }

    /** The subset's members, the coordinator first, and then the other replicas as they come. */
    private int[] members(int subset, int self) {
        int k = sampler.k();
        boolean[] drawn = new boolean[size];
        for (int position = 0; position < k; position++) {
            drawn[sampler.member(subset, position)] = true;
        }
        int[] order = new int[size];
        int next = 0;
        if (self >= 0 && drawn[self]) {
            order[next++] = self;
        }
        for (int i = 0; i < size; i++) {
            if (drawn[i] && i != self) {
                order[next++] = i;
            }
        }
        for (int i = 0; i < size; i++) {
            if (!drawn[i]) {
                order[next++] = i;
            }
        }
        return order;
    }

    /** How many of the rest are drawn; the last one follows from the others. */
    private static int placesDrawn(int rest, int leaders) {
        int places = 1;
        int orders = leaders * rest;
        while (places < rest - 1 && orders * (rest - places) <= MOST_ORDERS) {
            orders *= rest - places++;
        }
        return Math.min(places, rest - 1);
    }

    /** Adds the orders that begin as this one does up to a place, for an interval's start and length. */
    private void add(int[] order, int place, double start, double length) {
        if (place == drawnEnd) {
            addRow(order, place, start);
            return;
        }
        double[] weights = sum(shares, order, place) > 0 ? shares : groupShares;
        double total = sum(weights, order, place);
        double from = start;
        for (int i = place; i < size; i++) {
            double part = total > 0 ? length * (weights[order[i]] / total) : i == place ? length : 0;
            // What is too short to hold a number is left to the interval before.
            if (from + part == from || from >= 1) {
                continue;
            }
            swap(order, place, i);
            add(order, place + 1, from, part);
            swap(order, place, i);
            from += part;
        }
    }

    /** A row ends where the next one starts, whichever leader that has. */
    private void addRow(int[] order, int place, double start) {
        if (count == ends.length) {
            ends = Arrays.copyOf(ends, Math.max(8, 2 * count));
            orders = Arrays.copyOf(orders, ends.length * size);
        }
        if (start > 0) {
            ends[count - 1] = start;
        }
        int row = count++ * size;
        System.arraycopy(order, 0, orders, row, size);
        for (int i = row + place + 1; i < row + size; i++) {
            for (int j = i; j > row + place && groupShares[orders[j]] > groupShares[orders[j - 1]]; j--) {
                swap(orders, j, j - 1);
            }
        }
    }

    private static void swap(int[] array, int a, int b) {
        int kept = array[a];
        array[a] = array[b];
        array[b] = kept;
    }

    private static double sum(double[] weights, int[] replicas, int from) {
        double sum = 0;
        for (int i = from; i < replicas.length; i++) {
            sum += weights[replicas[i]];
        }
        return sum;
    }
}
