// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.share;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A partition whose table chooses its share, in virtual time, while operations take longer than usual. */
class ChosenShareTest {
    private static final int THREADS = 32;
    private static final double COST = 0.005;
    private static final double CAPACITY = THREADS / COST;
    private static final int PARTITIONS = 1_000;

    private VirtualPool besideAChosen(double share) {
        return besideAChosen(share, 0.03);
    }

    /**
     * @param small the part of the capacity that small partitions ask for
     * @return one partition that may hold a part of the pool by choice and asks for all of it, beside the small ones
     */
    private VirtualPool besideAChosen(double share, double small) {
        double[] costs = new double[PARTITIONS];
        Arrays.fill(costs, COST);
        VirtualPool pool = new VirtualPool(THREADS, costs, 1, new Unheard());
        for (int partition = 10; partition < PARTITIONS; partition++) {
            pool.rate(partition, small * CAPACITY / PARTITIONS);
        }
        pool.mostShares[0] = share;
        pool.run(15);
        pool.rate(0, 2 * CAPACITY);
        pool.run(10);
        return pool;
    }

    private static void take(VirtualPool pool, double times) {
        Arrays.fill(pool.costSeconds, times * COST);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.1, 0.25, 0.5})
    void aChosenShareComesBackAfterAMomentInWhichAllTookLonger(double share) {
        VirtualPool pool = besideAChosen(share);
        assertEquals(share, pool.run(5)[0].servedSeconds / (THREADS * 5), 0.1 * share);
        take(pool, 1.3);
        pool.run(2);
        take(pool, 1);
        pool.run(30);
        assertEquals(share, pool.run(10)[0].servedSeconds / (THREADS * 10), 0.1 * share);
    }

    @Test
    void aChosenShareIsNotCutBelowTheLeastWhereAllTakesLongerForGood() {
        VirtualPool pool = besideAChosen(0.5);
        take(pool, 1.3);
        for (int second = 0; second < 30; second++) {
            double part = pool.run(1)[0].servedSeconds / THREADS;
            assertTrue(part > 0.6 * FairShare.LEAST_SHARE, part + " after " + second + " s");
        }
        pool.run(50);
        assertEquals(0.5, pool.run(10)[0].servedSeconds / (THREADS * 10), 0.05);
    }

    /** Beside many small ones a chosen share is the eighth before it is the chosen part of what is borne. */
    @Test
    void whatTakesLongerForGoodBecomesUsualBesideManySmallOnesToo() {
        VirtualPool pool = besideAChosen(0.5, 0.4);
        take(pool, 1.2);
        pool.run(60);
        double part = pool.run(10)[0].servedSeconds / (THREADS * 10);
        assertTrue(part > 0.4, part + " of the threads, where the small ones leave 0.52");
    }
}
