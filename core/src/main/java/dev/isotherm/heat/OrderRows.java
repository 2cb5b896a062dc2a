// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import java.util.Arrays;

/** Collects the orders of each subset, each order with the interval of [0, 1) that draws it. */
final class OrderRows {
    /*
     * The coordinator is first if it is drawn, because it reads without the network; otherwise each drawn replica is
     * first equally often, since the first replica sends the data and the others digests. The rest is drawn one after
     * another, each in proportion to its share among those left. This divides the leader's part of [0, 1) into one
     * interval per order. A group of three has at most two orders per subset, a group of five at most 24. If there
     * would be more than 30, fewer places are drawn (the first of the rest always), and the places behind them are
     * sorted by falling share: a read reaches those replicas only after several others have failed it.
     */
    private static final int MOST_ORDERS = 30;

    /** The end of the last interval: no number is at or above NaN, not even infinity. */
    static final double NO_END = Double.NaN;

    private final int size;
    private final double[] shares;
    private final double[] groupShares;
    private final SubsetSampler sampler;
    private byte[] orders = new byte[0];
    private double[] ends = new double[0];
    private int count;
    private int drawnEnd;

    OrderRows(double[] shares, double[] groupShares, SubsetSampler sampler) {
        this.size = shares.length;
        this.shares = shares;
        this.groupShares = groupShares;
        this.sampler = sampler;
    }

    /** The number of rows. */
    int count() {
        return count;
    }

    /** For each row the end of its interval of [0, 1); {@link #NO_END} for the last row of a subset. */
    double[] ends() {
        return Arrays.copyOf(ends, count);
    }

    /** The orders of all replicas, one after another. */
    byte[] orders() {
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

    /** The subset's members, the coordinator first, and then the other replicas in their order. */
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

    /** The number of places of the rest that are drawn; the last place follows from the others. */
    private static int placesDrawn(int rest, int leaders) {
        int places = 1;
        int orders = leaders * rest;
        while (places < rest - 1 && orders * (rest - places) <= MOST_ORDERS) {
            orders *= rest - places++;
        }
        return Math.min(places, rest - 1);
    }

    /** Adds the orders that agree with this one up to a place, within the interval of this start and length. */
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
            // An interval too short to hold a number is joined to the interval before.
            if (from + part == from || from >= 1) {
                continue;
            }
            swap(order, place, i);
            add(order, place + 1, from, part);
            swap(order, place, i);
            from += part;
        }
    }

    /** Adds a row. It ends where the next row starts, also if the next row has another leader. */
    private void addRow(int[] order, int place, double start) {
        if (count == ends.length) {
            ends = Arrays.copyOf(ends, Math.max(8, 2 * count));
            orders = Arrays.copyOf(orders, ends.length * size);
        }
        if (start > 0) {
            ends[count - 1] = start;
        }
        int row = count++ * size;
        for (int i = 0; i < size; i++) {
            orders[row + i] = (byte) order[i];
        }
        for (int i = row + place + 1; i < row + size; i++) {
            for (int j = i; j > row + place && groupShares[orders[j]] > groupShares[orders[j - 1]]; j--) {
                byte kept = orders[j];
                orders[j] = orders[j - 1];
                orders[j - 1] = kept;
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
