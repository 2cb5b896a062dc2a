// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.share;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.common.VirtualTime;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The shares of a replica that coordinates nothing itself: others have thinned all that arrives of a hot partition. */
class SharesOfCoordinatorsTest {
    private static final int THREADS = 32;
    private static final double COST = 0.005;
    private static final double CAPACITY = THREADS / COST;
    private static final int PARTITIONS = 1_000;
    /** The threads that the replica gives away, less those that the small partitions hold. */
    private static final double LEFT = 0.985 * THREADS - THREADS / 4.0;

    private final VirtualTime time = new VirtualTime();
    private final SplittableRandom random = new SplittableRandom(5);
    private final CountedCuts told = new CountedCuts();
    private final VirtualPool pool = pool();

    private VirtualPool pool() {
        double[] costs = new double[PARTITIONS];
        Arrays.fill(costs, COST);
        VirtualPool quarterBusy = new VirtualPool(THREADS, costs, 1, told, time);
        for (int partition = 1; partition < PARTITIONS; partition++) {
            quarterBusy.rate(partition, 0.25 * CAPACITY / (PARTITIONS - 1));
        }
        return quarterBusy;
    }

    /** Coordinators ask for so many threads, and admit the part that the replica admits, as it has told them. */
    private void ask(double threads) {
        WatchedPartition watched = pool.shares.watched(1);
        double part = watched == null ? 1 : watched.admittedPart();
        int number = random.nextInt();
        if (!ToldPart.refuses(part, number)) {
            int weight = Weight.of(part, random.nextDouble());
            if (pool.shares.refusing(1, 1, number, weight) == null) {
                pool.send(0, () -> {});
            }
        }
        time.after(-Math.log(1 - random.nextDouble()) * COST / threads, () -> ask(threads));
    }

    private double threadsOfHot() {
        pool.run(3);
        pool.run(5);
        assertEquals(1, told.began, "it is cut once, not again and again");
        VirtualPool.Tally[] cut = pool.run(20);
        double small = Arrays.stream(cut, 1, PARTITIONS)
                .mapToDouble(t -> t.servedSeconds)
                .sum();
        assertEquals(THREADS / 4.0, small / 20, 0.1, "the small ones get all that they ask for");
        return cut[0].servedSeconds / 20;
    }

    /** The threads asked for are up to ten times those that are left. */
    @ParameterizedTest
    @ValueSource(doubles = {0.1, 0.4, 0.45, 0.6, 0.7, 0.75, 0.8, 0.9})
    void whatOthersHaveThinnedIsNotTakenToBeRefused(double part) {
        ask(LEFT / part);
        double hot = threadsOfHot();
        assertTrue(hot > 0.95 * LEFT, hot + " of " + LEFT);
    }
}
