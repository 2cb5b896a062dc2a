// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import dev.isotherm.common.Allowed;

/**
 * The probability with which each coordinator of a replica group contacts each replica, such that the shares hold over
 * all coordinators and as few reads as possible cross the network.
 */
public final class ForwardingMatrix {
    /*
     * Coordinator i receives the fraction w_i of the requests and gives replica j the fraction Q_ij of its contacts.
     * With F_ij = w_i Q_ij this is a transport problem: rows sum to w_i, columns to P_j, no F_ij above w_i/k, and the
     * diagonal (the local reads) as large as possible.
     *
     * The diagonal first: F_ii = min(P_i, w_i/k) is the upper bound of each entry, and all entries can reach it at
     * once. The remainder is b_j = P_j - F_jj for the columns, r_i = w_i - F_ii for the rows. The rows R not yet filled
     * can be completed if and only if for every column j
     *
     *     0 <= b_j <= open_j,   open_j = (1/k) * sum of w_i over i in R, i != j.
     *
     * So row i may take from column j at least lo_j = max(0, b_j - open_j without i) and at most hi_j = min(w_i/k,
     * b_j); all columns move evenly between these two ends until the row's sum is right. Each step keeps the condition,
     * so one pass always fills every row and column. The pass is O(N^2) and depends only on its arguments: every node
     * computes the same matrix.
     */
    private ForwardingMatrix() {}

    /**
     * The matrix Q[coordinator][replica]: rows sum to one, no entry exceeds 1/k, and weighted by the
     * coordinators' shares the columns sum to the replicas' shares. A coordinator that receives
     * nothing (share 0) gets the replicas' shares as its row.
     *
     * @param coordinatorShares fraction of the requests that reaches each node as a coordinator; sums to one
     * @param shares fraction of the contacts that each node should serve; sums to one, each at most 1/k
     * @param k replicas contacted per request
     * @throws IllegalArgumentException naming the argument, its value and what is allowed
     */
    public static double[][] of(double[] coordinatorShares, double[] shares, int k) {
        Allowed.cappedDistribution("shares", shares, k);
        Allowed.distribution("coordinatorShares", coordinatorShares);
        int n = shares.length;
        if (coordinatorShares.length != n) {
            throw Allowed.refusal(
                    "the length of coordinatorShares", coordinatorShares.length, n + ", the number of shares");
        }

        double[] wanted = new double[n];
        double[] open = new double[n];
        for (int j = 0; j < n; j++) {
            wanted[j] = shares[j] - Math.min(shares[j], coordinatorShares[j] / k);
            for (int i = 0; i < n; i++) {
                if (i != j) {
                    open[j] += coordinatorShares[i] / k;
                }
            }
        }
        double[][] matrix = new double[n][];
        for (int i = 0; i < n; i++) {
            matrix[i] = coordinatorShares[i] > 0
                    ? settled(row(i, coordinatorShares[i], shares[i], wanted, open, k), 1.0 / k)
                    : shares.clone();
        }
        return matrix;
    }

    /** Fills row i and subtracts it from the columns' wanted and open amounts. */
    private static double[] row(int i, double weight, double share, double[] wanted, double[] open, int k) {
        int n = wanted.length;
        double cap = weight / k;
        double[] low = new double[n];
        double[] row = new double[n];
        double lowSum = 0;
        double highSum = 0;
        for (int j = 0; j < n; j++) {
            if (j == i) {
                continue;
            }
            open[j] -= cap;
            row[j] = Math.min(cap, wanted[j]);
            low[j] = Math.min(row[j], Math.max(0, wanted[j] - open[j]));
            highSum += row[j];
            lowSum += low[j];
        }
        double local = Math.min(share, cap);
        double t = highSum > lowSum ? Math.max(0, Math.min(1, (weight - local - lowSum) / (highSum - lowSum))) : 0;
        for (int j = 0; j < n; j++) {
            double forwarded = j == i ? local : low[j] + t * (row[j] - low[j]);
            if (j != i) {
                wanted[j] = Math.max(0, wanted[j] - forwarded);
            }
            row[j] = forwarded / weight;
        }
        return row;
    }

    /*
     * Dividing by a small weight magnifies the last digits of the row. This method corrects them; over all coordinators
     * the correction moves a replica's share by no more than those digits.
     */
    private static double[] settled(double[] row, double cap) {
        double sum = 0;
        for (int j = 0; j < row.length; j++) {
            sum += row[j] = Math.min(cap, row[j]);
        }
        double missing = 1 - sum;
        double slack = row.length * cap - sum;
        for (int j = 0; j < row.length; j++) {
            if (missing < 0) {
                row[j] /= sum;
            } else if (slack > 0) {
                row[j] = Math.min(cap, row[j] + missing * ((cap - row[j]) / slack));
            }
        }
        return row;
    }
}
