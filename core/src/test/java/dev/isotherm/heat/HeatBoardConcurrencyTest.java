// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class HeatBoardConcurrencyTest {
    private static final int NODES = 3;

    /**
     * Who reads the version and then the heats, and later finds the same version, holds the heats of
     * now: a plan kept with its version is never out of date for longer than it takes to look.
     */
    @Test
    void aKeptVersionMeansKeptHeats() throws Exception {
        HeatBoard<String, Integer> board = new HeatBoard<>(Long.MAX_VALUE, BalanceSettings.defaults());
        CyclicBarrier barrier = new CyclicBarrier(3);
        ExecutorService threads = Executors.newFixedThreadPool(3);
        List<Future<?>> running = new ArrayList<>();
        for (int writer = 0; writer < 2; writer++) {
            SplittableRandom random = new SplittableRandom(writer);
            running.add(threads.submit(() -> {
                for (int round = 0; round < 3000; round++) {
                    barrier.await();
                    for (int i = 0; i < 5; i++)
                        board.report("t", random.nextInt(NODES), Heat.ofCodes(1, random.nextInt(4)), 0);
                    barrier.await();
                }
                return null;
            }));
        }
        running.add(threads.submit(() -> {
            for (int round = 0; round < 3000; round++) {
                barrier.await();
                long version = 0;
                Heat[] kept = new Heat[NODES];
                for (int i = 0; i < 20; i++) {
                    version = board.version("t");
                    for (int node = 0; node < NODES; node++) kept[node] = board.heatOf("t", node, 0);
                }
                barrier.await();
                // The writers are at rest now until the next round's barrier.
                if (version == board.version("t"))
                    for (int node = 0; node < NODES; node++) assertSame(board.heatOf("t", node, 0), kept[node]);
            }
            return null;
        }));
        for (Future<?> thread : running) thread.get(60, TimeUnit.SECONDS);
        threads.shutdown();
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
                for (int i = 0; i < 50_000; i++)
                    if (board.report(i % 7, reporter, Heat.ofCodes(1, i / 100 % 256), i)) changes++;
                return changes;
            }));
        }
        int changes = 0;
        for (Future<Integer> thread : running) changes += thread.get(60, TimeUnit.SECONDS);
        threads.shutdown();
        // Seven tables change each hundred reports, on each of four nodes.
        assertEquals(4 * 7 * 500, changes);
        long latest = 0;
        for (int table = 0; table < 7; table++) {
            latest = Math.max(latest, board.version(table));
            for (int node = 0; node < 4; node++) {
                assertSame(Heat.ofCodes(1, 499 % 256), board.heatOf(table, node, 50_000));
                assertEquals(50_000 - (49_999 - (49_999 - table) % 7), board.ageNanos(table, node, 50_000));
            }
        }
        assertEquals(changes, latest);
    }
}
