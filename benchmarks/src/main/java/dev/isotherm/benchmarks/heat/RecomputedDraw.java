// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.heat;

/**
 * The rival of a planned draw: computes the shares and the forwarding matrix for each read, then samples. Created for
 * each read, it needs no state between reads. Kept by its thread and stopped at its own row of the matrix, it costs
 * only computation.
 */
final class RecomputedDraw {
    private final int n;
    private final int k;
    private int self;
    private final double missFloor;
    private final double[] shares;
    private final double[] weights;
    private final double[] wanted;
    private final double[] low;
    private final double[] own;
    private final double[] row;
    private final boolean[] drawn;

    RecomputedDraw(int n, int k, double missFloor) {
        this.n = n;
        this.k = k;
        this.missFloor = missFloor;
        shares = new double[n];
        weights = new double[n];
        wanted = new double[n];
        low = new double[n];
        row = new double[n];
        own = new double[n];
        drawn = new boolean[n];
    }

    /**
     * Orders the replicas as a plan does: first the drawn replicas, the coordinator first of them, then the rest by
     * their shares.
     *
     * @param rows the number of matrix rows to compute: all, or those up to the coordinator's own, self + 1
     */
    void order(double[] missRatios, int self, int rows, double u, double v, int[] into) {
        this.self = self;
        computeShares(missRatios);
        computeRows(rows);
        int next = sample(u, into);
        for (int i = 0; i < n; i++) {
            if (!drawn[i]) {
                into[next++] = i;
            }
        }
        double left = v;
        if (!drawn[self]) {
            int leader = (int) (v * k);
            swap(into, 0, leader);
            left = v * k - leader;
        }
        for (int position = k; position < n - 1; position++) {
            left = drawNext(into, position, left);
        }
    }

    private void computeShares(double[] missRatios) {
        double cap = 1.0 / k;
        double freeWeight = 0;
        for (int i = 0; i < n; i++) {
            weights[i] = 1 / Math.max(missFloor, missRatios[i]);
            freeWeight += weights[i];
        }
        // A weight of 0 marks a share that was clipped.
        double freeShare = 1;
        boolean again = true;
        while (again) {
            again = false;
            double lambda = freeShare / freeWeight;
            for (int i = 0; i < n; i++) {
                if (weights[i] == 0) {
                    continue;
                }
                shares[i] = lambda * weights[i];
                if (shares[i] >= cap) {
                    shares[i] = cap;
                    freeShare -= cap;
                    freeWeight -= weights[i];
                    weights[i] = 0;
                    again = true;
                }
            }
        }
    }

    /** The rows of equally frequent coordinators. */
    private void computeRows(int rows) {
        double weight = 1.0 / n;
        double cap = weight / k;
        for (int j = 0; j < n; j++) {
            wanted[j] = shares[j] - Math.min(shares[j], cap);
        }
        for (int i = 0; i < rows; i++) {
            double lowSum = 0;
            double highSum = 0;
            for (int j = 0; j < n; j++) {
                if (j == i) {
                    continue;
                }
                // All rows after this one can still give to the column, except the column's own row.
                double open = (n - 1 - i - (j > i ? 1 : 0)) * cap;
                row[j] = Math.min(cap, wanted[j]);
                low[j] = Math.min(row[j], Math.max(0, wanted[j] - open));
                lowSum += low[j];
                highSum += row[j];
            }
            double local = Math.min(shares[i], cap);
            double t = highSum > lowSum ? Math.max(0, Math.min(1, (weight - local - lowSum) / (highSum - lowSum))) : 0;
            row[i] = local;
            for (int j = 0; j < n; j++) {
                if (j == i) {
                    continue;
                }
                row[j] = low[j] + t * (row[j] - low[j]);
                wanted[j] = Math.max(0, wanted[j] - row[j]);
            }
            if (i == self) {
                for (int j = 0; j < n; j++) {
                    own[j] = row[j] * n;
                }
            }
        }
    }

    /** Systematic sampling; returns k. */
    private int sample(double u, int[] into) {
        double border = 0;
        int next = 0;
        for (int i = 0; i < n; i++) {
            border += own[i] * k;
            drawn[i] = next < k && u + next < border;
            if (drawn[i]) {
                into[next++] = i;
            }
        }
        if (drawn[self]) {
            int position = 0;
            while (into[position] != self) {
                position++;
            }
            for (; position > 0; position--) {
                into[position] = into[position - 1];
            }
            into[0] = self;
        }
        return next;
    }

    private double drawNext(int[] into, int position, double v) {
        double[] by = own;
        double total = 0;
        for (int i = position; i < n; i++) {
            total += by[into[i]];
        }
        if (!(total > 0)) {
            by = shares;
            for (int i = position; i < n; i++) {
                total += by[into[i]];
            }
        }
        double target = v * total;
        int chosen = position;
        while (chosen < n - 1 && target >= by[into[chosen]]) {
            target -= by[into[chosen++]];
        }
        swap(into, position, chosen);
        return target / by[into[position]];
    }

    private static void swap(int[] array, int a, int b) {
        int kept = array[a];
        array[a] = array[b];
        array[b] = kept;
    }
}
