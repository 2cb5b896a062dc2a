// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

/** The reads answered in time and late in the last stretch of looks. Used by one thread. */
final class RecentOutcomes {
    private final int[] good;
    private final int[] late;
    private int next;
    private int goodSum;
    private int lateSum;

    /** @param looks how many looks back count, 1 or above */
    RecentOutcomes(int looks) {
        good = new int[looks];
        late = new int[looks];
    }

    void add(int goodReads, int lateReads) {
        goodSum += goodReads - good[next];
        lateSum += lateReads - late[next];
        good[next] = goodReads;
        late[next] = lateReads;
        next = (next + 1) % good.length;
    }

    void clear() {
        for (int i = 0; i < good.length; i++) {
            add(0, 0);
        }
    }

    int good() {
        return goodSum;
    }

    int late() {
        return lateSum;
    }
}
