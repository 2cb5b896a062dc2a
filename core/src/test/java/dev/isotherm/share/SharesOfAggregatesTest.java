// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.share;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A partition that is read by aggregates: one is decided about, and reads its pages one after the other. */
class SharesOfAggregatesTest {
    private static final int THREADS = 32;
    private static final double SMALL_SECONDS = 0.005;
    private static final int SMALL = 12;

    /** A partition that is read by reads of one page each. */
    private static final int OTHER = 1;

    private final CountedCuts cuts = new CountedCuts();
    /** What small reads are served a second alone, and beside the aggregates. */
    private double usual;

    private double beside;
    /** The threads that the aggregates hold. */
    private double hot;

    private static double sumOfOthers(VirtualPool.Tally[] tallies) {
        return Arrays.stream(tallies, OTHER + 1, tallies.length)
                .mapToDouble(tally -> tally.served)
                .sum();
    }

    /** Twelve small reads are under way, and from some time on so many aggregates. */
    private VirtualPool run(int pages, double pageSeconds, int aggregates, long seed, double settledAfter) {
        double[] costs = new double[3_002];
        Arrays.fill(costs, SMALL_SECONDS);
        costs[0] = pageSeconds;
        VirtualPool pool = new VirtualPool(THREADS, costs, seed, cuts);
        pool.variation = 0.5;
        pool.perDecision[0] = pages;
        pool.underWay(OTHER + 1, 3_002, SMALL);
        pool.run(15);
        usual = sumOfOthers(pool.run(5)) / 5;
        pool.underWay(0, 1, aggregates);
        pool.run(settledAfter);
        measure(pool);
        return pool;
    }

    private void measure(VirtualPool pool) {
        VirtualPool.Tally[] tallies = pool.run(20);
        beside = sumOfOthers(tallies) / 20;
        hot = tallies[0].servedSeconds / 20;
        double refused = Arrays.stream(tallies, OTHER + 1, tallies.length)
                .mapToDouble(t -> t.refused)
                .sum();
        assertEquals(0, refused, "of the others");
    }

    private void judge() {
        assertTrue(beside > 0.9 * usual, "the others get " + beside + " of " + usual);
        double left = THREADS - SMALL;
        assertTrue(hot > 0.8 * left, hot + " of the " + left + " threads that are left");
    }

    @ParameterizedTest
    @CsvSource({
        "5, 0.005, 100, 1",
        "8, 0.005, 100, 2",
        "20, 0.005, 100, 1",
        "20, 0.005, 100, 2",
        "20, 0.005, 300, 1",
        "20, 0.002, 200, 2",
        "20, 0.05, 64, 1",
    })
    void aPartitionReadByAggregatesIsCut(int pages, double pageSeconds, int aggregates, long seed) {
        VirtualPool pool = run(pages, pageSeconds, aggregates, seed, 10);
        judge();
        assertEquals(1, cuts.began, "it is cut once, not again and again");
        assertEquals(0, cuts.ended);
        pool.underWay(0, 1, 0);
        pool.run(5);
        assertFalse(pool.shares.isSaturated());
    }

    /** Of 1 s and 4 s in the threads, and more in their queue: a handful is admitted a second, and none for seconds. */
    @ParameterizedTest
    @CsvSource({"0.005, 100, 1, 15", "0.005, 100, 2, 15", "0.02, 60, 1, 40", "0.02, 60, 2, 40"})
    void fewLongAggregatesAreCutToo(double pageSeconds, int aggregates, long seed, double settledAfter) {
        run(200, pageSeconds, aggregates, seed, settledAfter);
        judge();
        assertEquals(1, cuts.began, "it is cut once, not again and again");
        assertEquals(0, cuts.ended);
    }

    /** What a decision brings is learnt anew: as if it brought twenty still, it would get a twentieth. */
    @Test
    void afterAggregatesReadsOfOnePageGetWhatTheOthersLeave() {
        VirtualPool pool = run(20, 0.005, 100, 1, 10);
        pool.perDecision[0] = 1;
        pool.run(10);
        measure(pool);
        judge();
    }

    /** Twelve small reads, so many aggregates of twenty pages and a hundred reads of another hot partition. */
    private VirtualPool.Tally[] besideAnotherHotPartition(int aggregates) {
        VirtualPool pool = run(20, SMALL_SECONDS, aggregates, 1, 0);
        pool.underWay(OTHER, OTHER + 1, 100);
        pool.run(10);
        return pool.run(20);
    }

    @Test
    void aPartitionReadByAggregatesGetsTheSameAsAnotherOne() {
        VirtualPool.Tally[] tallies = besideAnotherHotPartition(100);
        double ratio = tallies[0].servedSeconds / tallies[OTHER].servedSeconds;
        assertTrue(ratio > 0.95 && ratio < 1.05, ratio + "");
        beside = sumOfOthers(tallies) / 20;
        assertTrue(beside > 0.9 * usual, "the others get " + beside + " of " + usual);
    }

    @Test
    void fewAggregatesThatAskForLessThanTheLevelAreNotRefused() {
        VirtualPool.Tally[] tallies = besideAnotherHotPartition(6);
        assertEquals(0, tallies[0].refused);
        assertTrue(tallies[0].servedSeconds / 20 > 0.9 * 6, "six are under way: " + tallies[0].servedSeconds / 20);
    }
}
