// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

/**
 * All orders in which one coordinator's draws can put the replicas of a group: the drawn replicas first, then the rest.
 * Computed once and immutable; finding an order allocates nothing.
 */
final class OrderTable {
    /*
     * The interval of [0, 1) that holds a number is found by one look-up and nearly always one comparison, which the
     * processor can predict: [0, 1) is cut into equal parts, about eight per interval, and for each part the table
     * holds the interval in which the part begins. There are two such steps: from u to the subset, and from the subset
     * and v to the row that holds the order. Only the second look-up waits for the first.
     *
     * There are at most 164 subsets of 64 replicas (64 of the layout, 36 for pairs, 64 of the rest) with 30 rows each:
     * two bytes hold the number of each, and one byte the number of a replica.
     */
    /** The most replicas of a table. */
    static final int MOST_REPLICAS = 64;

    private static final int PARTS_PER_INTERVAL = 8;
    /** Two numbers and a fraction, and the references to five arrays. */
    private static final int FIELD_BYTES = 2 * Integer.BYTES + Double.BYTES + 5 * HeapBytes.REFERENCE;

    private final int size;
    private final double layoutPart;
    // For each part of u a subset, and for each subset the u at which the next one follows.
    private final char[] subsetOf;
    private final double[] subsetEnds;
    // For each subset and part of v a row, and for each row the v at which the subset's next one follows.
    private final int parts;
    private final char[] rowOf;
    private final double[] rowEnds;
    /** The rows: one order of all replicas after another. */
    private final byte[] orders;

    /**
     * @param shares the fraction of its contacts that the coordinator gives each replica
     * @param groupShares the group's shares, which order those replicas of the rest to which the coordinator gives
     *     nothing
     * @param k the number of replicas drawn, fewer than there are
     * @param self the coordinator's index among the replicas, first in the order if it is drawn; -1 if it is no replica
     */
    OrderTable(double[] shares, double[] groupShares, int k, int self) {
        size = shares.length;
        SubsetSampler sampler = SubsetSampler.meeting(shares, k);
        layoutPart = sampler.layoutPart();
        int subsets = sampler.subsetCount();
        subsetEnds = new double[subsets];
        OrderRows rows = new OrderRows(shares, groupShares, sampler);
        int[] firstRows = new int[subsets];
        int most = 1;
        for (int subset = 0; subset < subsets; subset++) {
            subsetEnds[subset] = subset + 1 < subsets ? sampler.startOf(subset + 1) : OrderRows.NO_END;
            int same = layoutPart < 1 ? sampler.firstLike(subset) : subset;
            firstRows[subset] = same < subset ? firstRows[same] : rows.count();
            if (same < subset) {
                continue;
            }
            rows.add(subset, self);
            most = Math.max(most, rows.count() - firstRows[subset]);
        }
        rowEnds = rows.ends();
        orders = rows.orders();
        subsetOf = new char[partsFor(subsets)];
        lookUp(subsetOf, 0, subsetOf.length, 0, subsetEnds);
        parts = partsFor(most);
        rowOf = new char[subsets * parts];
        for (int subset = 0; subset < subsets; subset++) {
            lookUp(rowOf, subset * parts, parts, firstRows[subset], rowEnds);
        }
    }

    /** A power of two, so that the borders of the parts are exact. */
    private static int partsFor(int intervals) {
        return intervals == 1 ? 1 : Integer.highestOneBit(intervals) * PARTS_PER_INTERVAL;
    }

    private static void lookUp(char[] table, int from, int parts, int interval, double[] ends) {
        for (int part = 0; part < parts; part++) {
            while ((double) part / parts >= ends[interval]) {
                interval++;
            }
            table[from + part] = (char) interval;
        }
    }

    /** What the table takes on the heap. */
    long bytes() {
        return HeapBytes.object(FIELD_BYTES)
                + HeapBytes.array(subsetOf.length, Character.BYTES)
                + HeapBytes.array(subsetEnds.length, Double.BYTES)
                + HeapBytes.array(rowOf.length, Character.BYTES)
                + HeapBytes.array(rowEnds.length, Double.BYTES)
                + HeapBytes.array(orders.length, Byte.BYTES);
    }

    /** The part of [0, 1), from 0 on, in which u draws the fewest subsets. */
    double layoutPart() {
        return layoutPart;
    }

    /** The number of orders. */
    int count() {
        return rowEnds.length;
    }

    /** The replica at a place of an order. */
    int replicaAt(int order, int place) {
        return orders[order * size + place];
    }

    /**
     * The order that two numbers in [0, 1) draw: u draws the subset; v draws the subset's first member, if that is not
     * the coordinator, and the order of the rest.
     */
    int draw(double u, double v) {
        // The masks do not change numbers in [0, 1) and keep all other numbers within the tables.
        int subset = subsetOf[(int) (u * subsetOf.length) & (subsetOf.length - 1)];
        while (u >= subsetEnds[subset]) {
            subset++;
        }
        int row = rowOf[subset * parts + ((int) (v * parts) & (parts - 1))];
        while (v >= rowEnds[row]) {
            row++;
        }
        return row;
    }

    /** Writes an order's replicas. */
    void write(int order, int[] into) {
        int from = order * size;
        if (size == 3) {
            // By far the most common group size: without the loop the copy takes half the time.
            into[0] = orders[from];
            into[1] = orders[from + 1];
            into[2] = orders[from + 2];
            return;
        }
        for (int i = 0; i < size; i++) {
            into[i] = orders[from + i];
        }
    }
}
