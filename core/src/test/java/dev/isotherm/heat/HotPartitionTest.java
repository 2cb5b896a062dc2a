// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Six nodes in virtual time, with groups of three replicas in a row, equal disks and equally warm caches; one partition
 * on nodes 0, 1 and 2 gets many reads and always hits. All reads are drawn by the heats that the nodes measure.
 */
class HotPartitionTest {
    private static final int NODES = 6;
    private static final int REPLICAS = 3;
    private static final int K = 2;
    private static final double MISSES = 0.2;
    private static final long SECOND = 1_000_000_000L;
    private static final long ROUND = SECOND / 5;
    private static final long HIT = 200_000;
    private static final long MISS = 10_000_000;
    private static final int READS_IN_A_ROUND = 200;
    private static final long HOT = 42;

    private final SplittableRandom random = new SplittableRandom(4);
    private final DiskReads[] disks = new DiskReads[NODES];
    private final int[] inThisRound = new int[NODES];
    private final long[] coldReads = new long[NODES];
    private long now;

    /** Runs for a minute and then counts for another: the reads of all partitions but the hot one, by node. */
    private long[] run(double hotFraction) {
        Arrays.setAll(disks, node -> new DiskReads(3 * SECOND, MISS, now));
        for (int round = 0; round < 2 * 60 * SECOND / ROUND; round++) {
            if (round == 60 * SECOND / ROUND) {
                Arrays.fill(coldReads, 0);
            }
            ReadPlan[] plans = new ReadPlan[NODES];
            for (int first = 0; first < NODES; first++) {
                Heat[] heats = new Heat[REPLICAS];
                for (int i = 0; i < REPLICAS; i++) {
                    heats[i] = disks[(first + i) % NODES].heat();
                }
                plans[first] = ReadPlan.of(heats, K, -1, BalanceSettings.defaults());
            }
            for (int read = 0; read < READS_IN_A_ROUND; read++) {
                boolean hot = random.nextDouble() < hotFraction;
                int first = hot ? 0 : random.nextInt(NODES);
                int[] order = randomOrder();
                if (plans[first] != null) {
                    plans[first].order(0, random.nextDouble(), random.nextDouble(), order);
                }
                long token = hot ? HOT : random.nextLong();
                for (int i = 0; i < K; i++) {
                    serve((first + order[i]) % NODES, token, !hot && random.nextDouble() < MISSES);
                    coldReads[(first + order[i]) % NODES] += hot ? 0 : 1;
                }
            }
            now += ROUND;
            for (int node = 0; node < NODES; node++) {
                disks[node].settle(inThisRound[node], now);
                inThisRound[node] = 0;
            }
        }
        return coldReads;
    }

    private int[] randomOrder() {
        int first = random.nextInt(REPLICAS);
        int step = 1 + random.nextInt(REPLICAS - 1);
        return new int[] {first, (first + step) % REPLICAS, (first + 2 * step) % REPLICAS};
    }

    private void serve(int node, long token, boolean miss) {
        inThisRound[node]++;
        if (disks[node].isSampled(random.nextDouble())) {
            disks[node].add(token, miss ? 1 : 0, miss ? HIT + MISS : HIT);
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.1, 0.3})
    void aHotPartitionDrawsNoReadsOfOthersToItsNodes(double hotFraction) {
        long[] reads = run(hotFraction);
        double even = Arrays.stream(reads).sum() / (double) NODES;
        for (int node = 0; node < NODES; node++) {
            assertEquals(even, reads[node], 0.05 * even, Arrays.toString(reads));
        }
    }

    @Test
    void theCostIsThatOfTheOtherPartitions() {
        run(0.3);
        for (DiskReads disk : disks) {
            assertEquals(MISSES * MISS, disk.costNanos(), 0.15 * MISSES * MISS);
        }
    }

    @Test
    void aPartitionCountsOnceARoundAndEveryOtherOneToo() {
        FirstReads reads = new FirstReads();
        int hot = 0;
        int others = 0;
        for (int read = 0; read < 128_000; read++) {
            if (read % 2 == 0) {
                hot += reads.isFirst(HOT) ? 1 : 0;
            } else {
                others += reads.isFirst(random.nextLong()) ? 1 : 0;
            }
        }
        assertEquals(64_000, others, "the reads of partitions that are not repeated");
        // Now and then another partition takes the hot one's slot.
        assertTrue(hot >= 1_000 && hot < 1_300, hot + " of the hot partition's reads in 1,000 rounds");
    }

    @Test
    void aTableOfOnePartitionIsMeasured() {
        DiskReads one = new DiskReads(3 * SECOND, MISS, 0);
        for (int round = 1; round <= 600; round++) {
            for (int read = 0; read < 100; read++) {
                one.add(HOT, 0, HIT);
            }
            one.settle(100, round * ROUND);
        }
        assertTrue(one.waitsPerRead() < 0.1, one.waitsPerRead() + " waits per read");
        FirstReads reads = new FirstReads();
        assertTrue(reads.isFirst(HOT));
        assertFalse(reads.isFirst(HOT));
    }
}
