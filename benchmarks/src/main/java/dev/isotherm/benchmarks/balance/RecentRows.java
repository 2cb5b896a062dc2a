// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.balance;

import java.util.Arrays;

/** A cache of rows that drops the least recently used one. Rows are numbered from 0. */
final class RecentRows {
    private static final int ABSENT = -2;
    private static final int NONE = -1;

    private final int capacity;
    /** For each row the next more recent and the next older one; {@link #ABSENT} for a row that is not cached. */
    private final int[] newer;

    private final int[] older;
    private int newest = NONE;
    private int oldest = NONE;
    private int size;

    /**
     * @param rows the rows that there are
     * @param capacity the rows that the cache holds, 1 or above
     */
    RecentRows(int rows, int capacity) {
        this.capacity = capacity;
        newer = new int[rows];
        older = new int[rows];
        clear();
    }

    /** Empties the cache. */
    void clear() {
        Arrays.fill(newer, ABSENT);
        newest = NONE;
        oldest = NONE;
        size = 0;
    }

    /** Whether the row is cached; it is the most recently used one then. */
    boolean find(int row) {
        if (newer[row] == ABSENT) {
            return false;
        }
        unlink(row);
        link(row);
        return true;
    }

    /** Caches a row as the most recently used one. */
    void put(int row) {
        if (find(row)) {
            return;
        }
        if (size == capacity) {
            int dropped = oldest;
            unlink(dropped);
            newer[dropped] = ABSENT;
        }
        link(row);
    }

    int size() {
        return size;
    }

    private void link(int row) {
        newer[row] = NONE;
        older[row] = newest;
        if (newest != NONE) {
            newer[newest] = row;
        }
        newest = row;
        if (oldest == NONE) {
            oldest = row;
        }
        size++;
    }

    private void unlink(int row) {
        int before = older[row];
        int after = newer[row];
        if (before == NONE) {
            oldest = after;
        } else {
            newer[before] = after;
        }
        if (after == NONE) {
            newest = before;
        } else {
            older[after] = before;
        }
        size--;
    }
}
