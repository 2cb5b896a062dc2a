// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import java.util.Arrays;

/** The subsets that systematic sampling draws from intervals laid one after another, in whole units. */
final class SystematicLayout {
    /*
     * Replica j has the interval from border j to border j+1 on [0, k * unit); the points u, u + unit, ..., u + (k-1) *
     * unit fall on k replicas, which differ because no interval is longer than a unit. As many u hit replica j as its
     * interval is long. As u moves from 0 to a unit the subset changes only where a point crosses a border, at most
     * once per replica.
     */
    /** The least u, in [0, unit), of each subset. */
    final long[] starts;
    /** k replicas per subset, in the replicas' order. */
    final int[] members;

    private final long unit;

    /** @param borders from 0 to k * unit, each at most one unit above the border before */
    SystematicLayout(long[] borders, long unit, int k) {
        this.unit = unit;
        long[] changes = new long[borders.length - 1];
        long whole = 0;
        for (int j = 0; j < changes.length; j++) {
            while (borders[j] - whole >= unit) {
                whole += unit;
            }
            changes[j] = borders[j] - whole;
        }
        Arrays.sort(changes);
        int count = 0;
        for (int j = 0; j < changes.length; j++) {
            if (j == 0 || changes[j] > changes[j - 1]) {
                changes[count++] = changes[j];
            }
        }
        starts = Arrays.copyOf(changes, count);
        members = new int[count * k];
        for (int s = 0; s < count; s++) {
            int replica = 0;
            for (int point = 0; point < k; point++) {
                while (borders[replica + 1] <= starts[s] + point * unit) {
                    replica++;
                }
                members[s * k + point] = replica;
            }
        }
    }

    /** The number of values of u that draw a subset. */
    long length(int subset) {
        return (subset + 1 < starts.length ? starts[subset + 1] : unit) - starts[subset];
    }
}
