// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.balance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RecentRowsTest {
    @Test
    void dropsWhatTheReferenceDrops() {
        SplittableRandom random = new SplittableRandom(3);
        for (int capacity : new int[] {1, 2, 7, 50}) {
            RecentRows rows = new RecentRows(60, capacity);
            Map<Integer, Boolean> reference = new LinkedHashMap<>(16, 0.75f, true) {
                private static final long serialVersionUID = 1;

                @Override
                protected boolean removeEldestEntry(Map.Entry<Integer, Boolean> eldest) {
                    return size() > capacity;
                }
            };
            for (int i = 0; i < 20_000; i++) {
                int row = random.nextInt(60);
                assertEquals(reference.get(row) != null, rows.find(row));
                if (random.nextInt(3) > 0) {
                    reference.put(row, true);
                    rows.put(row);
                }
                assertEquals(reference.size(), rows.size());
            }
        }
    }

    @Test
    void holdsNothingOnceCleared() {
        RecentRows rows = new RecentRows(3, 3);
        rows.put(1);
        rows.clear();
        assertFalse(rows.find(1));
        assertEquals(0, rows.size());
    }
}
