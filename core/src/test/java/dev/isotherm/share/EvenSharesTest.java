// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.share;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How even the shares are of those that ask for more than they get, by Jain's index, in virtual time. */
class EvenSharesTest {
    private static final int THREADS = 32;
    private static final double COST = 0.005;
    private static final int PARTITIONS = 1_000;
    /** The part of the pool that is given away. */
    private static final double GIVEN = 0.985;

    private static final double CAPACITY = THREADS / COST;

    private static double jain(double sum, double squares, int number) {
        return sum * sum / (number * squares);
    }

    /** More ask for much than could have an eighth each beside the others, were there one more. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void fiveHotPartitionsThatAskForDifferentMuchGetTheSame(long seed) {
        double[] costs = new double[PARTITIONS];
        Arrays.fill(costs, COST);
        VirtualPool pool = new VirtualPool(THREADS, costs, seed, new Unheard());
        for (int partition = 10; partition < PARTITIONS; partition++) {
            pool.rate(partition, 0.3 * CAPACITY / (PARTITIONS - 10));
        }
        pool.run(3);
        double[] asked = {0.2, 0.3, 0.5, 1, 2};
        for (int partition = 0; partition < asked.length; partition++) {
            pool.rate(partition, asked[partition] * CAPACITY);
        }
        pool.run(2);
        VirtualPool.Tally[] cut = pool.run(5);
        double sum = 0;
        double squares = 0;
        for (int partition = 0; partition < asked.length; partition++) {
            double got = cut[partition].servedSeconds / (THREADS * 5);
            sum += got;
            squares += got * got;
        }
        assertTrue(jain(sum, squares, asked.length) >= 0.95, "Jain's index of them");
        assertEquals(GIVEN - 0.3, sum, 0.05);
        double refused = Arrays.stream(cut, asked.length, PARTITIONS)
                .mapToDouble(tally -> tally.refused)
                .sum();
        assertEquals(0, refused, "the others are not touched");
    }

    @ParameterizedTest
    @ValueSource(doubles = {1.5, 2})
    void replicasWithZipfCostsAreFairAndBusy(double exponent) {
        double[] costs = new double[PARTITIONS];
        double all = 0;
        for (int rank = 1; rank <= PARTITIONS; rank++) {
            all += Math.pow(rank, -exponent);
        }
        double perSecond = 100;
        double load = exponent == 2 ? 2.2 : 1.5;
        double[] asked = new double[PARTITIONS];
        for (int rank = 1; rank <= PARTITIONS; rank++) {
            asked[rank - 1] = load * Math.pow(rank, -exponent) / all;
            costs[rank - 1] = asked[rank - 1] * THREADS / perSecond;
        }
        double level = MaxMin.level(asked, GIVEN);
        double[] got = new double[PARTITIONS];
        for (int replica = 0; replica < 3; replica++) {
            VirtualPool pool = new VirtualPool(THREADS, costs.clone(), replica, new Unheard());
            for (int partition = 0; partition < PARTITIONS; partition++) {
                pool.rate(partition, 0.2 * perSecond);
            }
            pool.run(6);
            for (int partition = 0; partition < PARTITIONS; partition++) {
                pool.rate(partition, perSecond);
            }
            pool.run(2);
            VirtualPool.Tally[] tallies = pool.run(5);
            assertTrue(pool.busySeconds >= 0.95 * THREADS * 5, pool.busySeconds + "");
            for (int partition = 0; partition < PARTITIONS; partition++) {
                got[partition] += tallies[partition].servedSeconds;
            }
        }
        double sum = 0;
        double squares = 0;
        int demanding = 0;
        for (int partition = 0; partition < PARTITIONS; partition++) {
            if (asked[partition] > level) {
                demanding++;
                sum += got[partition];
                squares += got[partition] * got[partition];
            }
        }
        assertTrue(demanding > 1);
        double jain = jain(sum, squares, demanding);
        assertTrue(jain >= 0.95, "Jain's index of " + demanding + " is " + jain);
        assertEquals(level * demanding, sum / (3 * 5 * THREADS), 0.1 * level * demanding);
    }
}
