// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class HeatBoardConcurrencyTest {
    private static final int REPORTS = 200_000;
    /** So often a heat changes, at least, while another thread looks. */
    private static final int CHANGES = 100_000;

    /**
     * A thread that sees a version also sees the version's heats or later ones: a plan built from them and kept under
     * that version is never out of date. There is one writer, so the n-th version has the n-th heat.
     */
    @Test
    void aVersionIsNotSeenBeforeItsHeat() throws Exception {
        HeatBoard<String, String> board = new HeatBoard<>(Long.MAX_VALUE, BalanceSettings.defaults());
        board.report("t", "a", Heat.ofCodes(1, 1), 0);
        AtomicBoolean enough = new AtomicBoolean();
        ExecutorService threads = Executors.newSingleThreadExecutor();
        Future<Integer> writer = threads.submit(() -> {
            int reports = 1;
            while (!enough.get()) {
                board.report("t", "a", Heat.ofCodes(1, ++reports % 256), 0);
            }
            return reports;
        });
        try {
            // Until the writer has had its turn too: on busy processors all could be looked at before it begins.
            long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
            for (int looks = 0; looks < REPORTS || board.version("t") < CHANGES && System.nanoTime() - end < 0; ) {
                long version = board.version("t");
                Heat heat = board.heatOf("t", "a", 0);
                // The heat may be newer than the version. If the writer was too fast to tell newer from older, read
                // again.
                if (board.version("t") - version > 100) {
                    continue;
                }
                long behind = (version - heat.code()) & 255;
                assertTrue(
                        behind == 0 || behind > 128, "version " + version + " with the heat of " + behind + " before");
                looks++;
            }
        } finally {
            enough.set(true);
            threads.shutdown();
        }
        assertEquals((long) writer.get(60, TimeUnit.SECONDS), board.version("t"));
        assertTrue(board.version("t") >= CHANGES, "hardly anything was written meanwhile");
    }

    @Test
    void noReportIsLost() throws Exception {
        HeatBoard<Integer, Integer> board = new HeatBoard<>(Long.MAX_VALUE, BalanceSettings.defaults());
        ExecutorService threads = Executors.newFixedThreadPool(4);
        List<Future<Integer>> running = new ArrayList<>();
        for (int node = 0; node < 4; node++) {
            int reporter = node;
            running.add(threads.submit(() -> {
                int changes = 0;
                for (int i = 0; i < REPORTS; i++) {
                    if (board.report(i % 7, reporter, Heat.ofCodes(1, i % 256), i)) {
                        changes++;
                    }
                }
                return changes;
            }));
        }
        int changes = 0;
        for (Future<Integer> thread : running) {
            changes += thread.get(60, TimeUnit.SECONDS);
        }
        threads.shutdown();
        // Consecutive reports of a table and node differ in heat.
        assertEquals(4 * REPORTS, changes);
        long latest = 0;
        for (int table = 0; table < 7; table++) {
            latest = Math.max(latest, board.version(table));
            int last = REPORTS - 1 - (REPORTS - 1 - table) % 7;
            for (int node = 0; node < 4; node++) {
                assertSame(Heat.ofCodes(1, last % 256), board.heatOf(table, node, REPORTS));
                assertEquals(REPORTS - last, board.ageNanos(table, node, REPORTS));
            }
        }
        assertEquals(changes, latest);
    }
}
