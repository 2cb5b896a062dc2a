// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.share;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The shares that are told to those who are refused, in virtual time. */
class ToldShareTest {
    private static final int THREADS = 32;
    private static final double COST = 0.005;
    private static final double CAPACITY = THREADS / COST;
    private static final int PARTITIONS = 1_000;

    @Test
    void whatARefusedClientIsToldIsWhatItsPartitionHoldsNow() {
        List<double[]> begun = new ArrayList<>();
        double[] costs = new double[PARTITIONS];
        Arrays.fill(costs, COST);
        VirtualPool pool = new VirtualPool(THREADS, costs, 1, new FairShare.Listener() {
            @Override
            public void began(WatchedPartition partition) {
                begun.add(new double[] {partition.held(), partition.mayHold()});
            }

            @Override
            public void ended(WatchedPartition partition) {}
        });
        for (int partition = 1; partition < PARTITIONS; partition++) {
            pool.rate(partition, 0.5 * CAPACITY / PARTITIONS);
        }
        pool.run(3);
        pool.rate(0, 2 * CAPACITY);
        pool.run(1);
        assertEquals(1, begun.size());
        assertTrue(begun.get(0)[0] >= begun.get(0)[1], begun.get(0)[0] + " held, " + begun.get(0)[1] + " allowed");
        pool.run(2);
        for (int i = 0; i < 5; i++) {
            VirtualPool.Tally hot = pool.run(2)[0];
            assertEquals(
                    hot.servedSeconds / (2 * THREADS), pool.shares.cut().get(0).held(), 0.08);
        }
    }

    /** The least share is an eighth of the pool, and not all of the eighth of it that a disk bears. */
    @Test
    void whatAPartitionMayHoldIsAPartOfTheWholePool() {
        WatchedPartition partition = new WatchedPartition(1, 16);
        WaterFilling.admit(new WatchedPartition[] {partition}, 2, 4, THREADS);
        assertTrue(partition.isCut());
        assertEquals(0.125, partition.mayHold(), 0);
        assertEquals(0.5, partition.held(), 0);
    }
}
