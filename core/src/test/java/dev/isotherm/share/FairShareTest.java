// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.share;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.common.AllocatedBytes;
import java.util.Arrays;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The shares of a pool of 32 threads in virtual time. */
class FairShareTest {
    private static final int THREADS = 32;
    private static final double COST = 0.005;
    private static final int PARTITIONS = 1_000;
    /** The part of the pool that is given away. */
    private static final double GIVEN = 0.985;

    private static final double CAPACITY = THREADS / COST;

    private final CountedCuts told = new CountedCuts();

    private VirtualPool pool(double[] costs) {
        return new VirtualPool(THREADS, costs, 1, told);
    }

    /** A pool that is half busy with small partitions. */
    private VirtualPool halfBusy() {
        double[] costs = new double[PARTITIONS];
        Arrays.fill(costs, COST);
        VirtualPool pool = pool(costs);
        for (int partition = 10; partition < PARTITIONS; partition++) {
            pool.rate(partition, 0.5 * CAPACITY / (PARTITIONS - 10));
        }
        return pool;
    }

    private static double sum(VirtualPool.Tally[] tallies, int from, ToDoubleFunction<VirtualPool.Tally> what) {
        return Arrays.stream(tallies, from, tallies.length).mapToDouble(what).sum();
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.5, 1, 1.5})
    void nothingIsRefusedWhileNothingIsSaturated(double exponent) {
        // 0 stands for one partition alone.
        int partitions = exponent == 0 ? 1 : PARTITIONS;
        double[] costs = new double[partitions];
        Arrays.fill(costs, COST);
        VirtualPool pool = pool(costs);
        double all = 0;
        for (int rank = 1; rank <= partitions; rank++) {
            all += Math.pow(rank, -exponent);
        }
        for (int rank = 1; rank <= partitions; rank++) {
            pool.rate(rank - 1, 0.8 * CAPACITY * Math.pow(rank, -exponent) / all);
        }
        VirtualPool.Tally[] tallies = pool.run(1_010_000 / (0.8 * CAPACITY));
        assertTrue(sum(tallies, 0, t -> t.asked) > 1_000_000);
        assertEquals(0, sum(tallies, 0, t -> t.refused));
        assertFalse(pool.shares.isSaturated());
    }

    /** Before anything waits, from a sixteenth of the threads on; at the moment before a look from a fifth less. */
    @Test
    void aLargePartitionIsKnownWhileNothingIsSaturated() {
        VirtualPool pool = halfBusy();
        assertFalse(pool.shares.isLarge(1), "nothing is known yet");
        pool.rate(0, CAPACITY / 12);
        pool.rate(1, CAPACITY / 24);
        pool.run(5);
        for (int i = 0; i < 20; i++) {
            pool.run(0.05);
            assertTrue(pool.shares.isLarge(1));
            assertFalse(pool.shares.isLarge(2));
            assertFalse(pool.shares.isLarge(11));
        }
        assertFalse(pool.shares.isSaturated());
        pool.rate(0, 0);
        pool.run(2);
        assertFalse(pool.shares.isLarge(1), "its client has gone");
    }

    @Test
    void aHotPartitionGetsWhatTheOthersLeaveAndIsLetGo() {
        VirtualPool pool = halfBusy();
        pool.run(3);
        pool.rate(0, 2 * CAPACITY);
        pool.run(2);
        VirtualPool.Tally[] cut = pool.run(10);
        assertEquals(0, sum(cut, 1, t -> t.refused), "the others are not touched");
        assertTrue(sum(cut, 1, t -> t.served) > 0.98 * sum(cut, 1, t -> t.asked));
        assertTrue(pool.busySeconds > 0.95 * THREADS * 10, pool.busySeconds + " s of work in 320");
        assertEquals(0.5, cut[0].servedSeconds / (THREADS * 10), 0.05);
        assertTrue(pool.queued() < 0.05 * CAPACITY);
        assertEquals(1, told.began, "it is cut once, not again and again");
        assertEquals(0, told.ended);

        pool.rate(0, 0.2 * CAPACITY);
        pool.run(5);
        VirtualPool.Tally[] after = pool.run(5);
        assertEquals(0, sum(after, 0, t -> t.refused));
        assertFalse(pool.shares.isSaturated());
        assertEquals(1, told.began);
        assertEquals(1, told.ended);
    }

    @Test
    void twoHotPartitionsGetTheSame() {
        VirtualPool pool = halfBusy();
        pool.run(3);
        pool.rate(0, 0.6 * CAPACITY);
        pool.rate(1, 2 * CAPACITY);
        pool.run(2);
        VirtualPool.Tally[] cut = pool.run(5);
        double ratio = cut[0].servedSeconds / cut[1].servedSeconds;
        assertTrue(ratio > 0.95 && ratio < 1.05, ratio + "");
        assertEquals((GIVEN - 0.5) / 2, cut[0].servedSeconds / (THREADS * 5), 0.03);
        assertEquals(0, sum(cut, 2, t -> t.refused));
    }

    @Test
    void whatCountsIsTimeAndNotOperations() {
        VirtualPool pool = halfBusy();
        pool.costSeconds[0] = 100 * COST;
        pool.run(3);
        pool.rate(0, 0.01 * CAPACITY);
        pool.rate(1, 0.1 * CAPACITY);
        pool.run(4);
        VirtualPool.Tally[] cut = pool.run(10);
        assertEquals(0, sum(cut, 1, t -> t.refused), "ten times as often, and cheap");
        assertEquals(0.4, cut[0].servedSeconds / (THREADS * 10), 0.05);
    }

    @Test
    void whereTheDiskIsScarceItIsTheDiskThatIsShared() {
        double[] costs = new double[3_001];
        Arrays.fill(costs, 0.06);
        costs[0] = 0.33;
        VirtualPool pool = pool(costs);
        pool.parallel = 16;
        pool.underWay(1, 3_001, 8);
        pool.run(15);
        double usual = sum(pool.run(5), 1, t -> t.served) / 5;
        pool.underWay(0, 1, 64);
        pool.run(5);
        VirtualPool.Tally[] cut = pool.run(20);
        assertTrue(sum(cut, 1, t -> t.served) / 20 > 0.8 * usual);
        assertTrue(cut[0].servedSeconds / 20 > 4, "half of the eight threads that the others leave of sixteen");
        pool.underWay(0, 1, 0);
        pool.run(5);
        assertFalse(pool.shares.isSaturated());
    }

    @Test
    void whereAllReadsTakeLongerTheLargeOneKeepsTheLeastShareAndGetsMoreAgain() {
        VirtualPool pool = halfBusy();
        for (int partition = 10; partition < PARTITIONS; partition++) {
            pool.rate(partition, 0.1 * CAPACITY / PARTITIONS);
        }
        pool.run(15);
        pool.rate(0, 1.5 * CAPACITY);
        pool.run(10);
        for (int partition = 0; partition < PARTITIONS; partition++) {
            pool.costSeconds[partition] = 3 * COST;
        }
        pool.run(2);
        for (int second = 0; second < 30; second++) {
            VirtualPool.Tally hot = pool.run(1)[0];
            double part = hot.servedSeconds / THREADS;
            assertTrue(part > 0.6 * FairShare.LEAST_SHARE, part + " after " + second + " s");
        }
        pool.run(50);
        double part = pool.run(10)[0].servedSeconds / (THREADS * 10);
        assertTrue(part > 0.35, part + " of the pool, of which the others leave 0.7");
    }

    @Test
    void manySmallPartitionsAreNotCutHoweverMuchTheyAsk() {
        double[] costs = new double[PARTITIONS];
        Arrays.fill(costs, COST);
        VirtualPool pool = pool(costs);
        for (int partition = 0; partition < PARTITIONS; partition++) {
            pool.rate(partition, 1.3 * CAPACITY / PARTITIONS);
        }
        assertEquals(0, sum(pool.run(5), 0, t -> t.refused));
        assertTrue(pool.shares.isSaturated());
    }

    @Test
    void noPartitionIsCutBelowTheLeastShare() {
        VirtualPool pool = halfBusy();
        for (int partition = 10; partition < PARTITIONS; partition++) {
            pool.rate(partition, 1.2 * CAPACITY / PARTITIONS);
        }
        pool.rate(0, CAPACITY);
        pool.run(2);
        VirtualPool.Tally[] cut = pool.run(5);
        assertEquals(FairShare.LEAST_SHARE, (cut[0].asked - cut[0].refused) * COST / (THREADS * 5), 0.02);
        assertEquals(0, sum(cut, 1, t -> t.refused));
    }

    @Test
    void whatLastsHoldsItsTimeBeforeItEnds() {
        FairShare shares = new FairShare(64, 1, told, VirtualPool.unpaused(), 0);
        shares.holds(7, 1_000_000, 1_000_000);
        shares.holds(7, 2_000_000, 3_000_000);
        assertEquals(3_000_000, shares.nanosOf(7));
        shares.ended(7, 5_000_000, 8_000_000);
        assertEquals(8_000_000, shares.nanosOf(7));
        assertEquals(0, shares.nanosOf(8));
    }

    /** Of a partition of whose operations none has ended nothing else is known. */
    @Test
    void whatLastsIsCutBeforeItEnds() {
        FairShare shares = new FairShare(64, 1, told, VirtualPool.unpaused(), 0);
        for (int look = 1; look <= 20; look++) {
            for (int i = 0; i < THREADS; i++) {
                shares.refusing(1, 1, i << 27, 1);
                shares.holds(1, FairShare.INTERVAL_NANOS, look * FairShare.INTERVAL_NANOS);
            }
            shares.look(50_000_000, THREADS, THREADS, look * FairShare.INTERVAL_NANOS);
        }
        assertEquals(1, shares.cut().size());
        assertEquals(1, shares.cut().get(0).partition());
        assertEquals(1, shares.cut().get(0).held(), 0.05);
    }

    @Test
    void withoutLooksDecisionsAreOutdated() {
        FairShare shares = new FairShare(8, 0, new Unheard(), VirtualPool.unpaused(), 0);
        assertFalse(shares.isOutdated(2_000_000_000L));
        assertTrue(shares.isOutdated(2_000_000_001L));
        shares.look(0, 1, 0, 1_000_000_000L);
        assertFalse(shares.isOutdated(3_000_000_000L));
    }

    /** Of partitions that are cut, large or neither; the accounting of what is admitted, too. */
    @Test
    void aDecisionAndItsAccountingAllocateNothing() {
        FairShare shares = new FairShare(64, 1, told, VirtualPool.unpaused(), 0);
        for (int look = 1; look <= 50; look++) {
            shares.served(-1_000_000, 1_600_000_000L);
            for (int i = 0; i < 100; i++) {
                shares.refusing(-1_000_000, 1, i * 42_949_673, 1);
            }
            shares.look(50_000_000, THREADS, THREADS, look * FairShare.INTERVAL_NANOS);
        }
        assertEquals(1, shares.cut().size());
        long bytes = AllocatedBytes.of(() -> {
            for (int i = 0; i < 20_000; i++) {
                long partition = i % 2 == 0 ? -1_000_000 : 2_000_000 + i;
                if (shares.refusing(partition, 1, i * 0x9E3779B9, 1) == null) {
                    shares.served(partition, 1_000_000);
                }
                shares.servedOther(1_000);
                shares.isLarge(partition);
                shares.isOutdated(i);
            }
        });
        assertEquals(0, bytes, "bytes in 20,000 decisions");
    }

    @Test
    void whatCannotBeCutIsTakenOff() {
        FairShare shares = new FairShare(64, 1, told, VirtualPool.unpaused(), 0);
        for (int look = 1; look <= 50; look++) {
            shares.served(1, 1_600_000_000L);
            shares.servedOther(1_600_000_000L);
            for (int i = 0; i < 100; i++) {
                shares.refusing(1, 1, i << 25, 1);
            }
            shares.look(look < 30 ? 0 : 50_000_000, THREADS, THREADS, look * FairShare.INTERVAL_NANOS);
        }
        assertEquals(0.5, shares.cut().get(0).held(), 0.01, "of all threads");
        assertTrue(shares.cut().get(0).mayHold() < 0.5);
    }

    @Test
    void aChosenShareTakesThePlaceOfTheFairOne() {
        double[] costs = new double[PARTITIONS];
        Arrays.fill(costs, COST);
        VirtualPool pool = halfBusy();
        pool.mostShares[0] = 0.05;
        pool.mostShares[1] = 0.3;
        pool.run(3);
        pool.rate(0, CAPACITY);
        pool.rate(1, CAPACITY);
        pool.run(3);
        VirtualPool.Tally[] cut = pool.run(5);
        assertEquals(0.05, cut[0].servedSeconds / (THREADS * 5), 0.01);
        assertEquals(0.3, cut[1].servedSeconds / (THREADS * 5), 0.04);
        pool.rate(0, 0.1 * CAPACITY);
        pool.rate(1, 0.1 * CAPACITY);
        pool.run(5);
        assertEquals(0, sum(pool.run(2), 0, t -> t.refused), "all that is asked for fits");
    }

    /** Weights come from other nodes as they are. */
    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, Integer.MAX_VALUE})
    void anOperationThatStandsForNonsenseCutsNobody(int nonsense) {
        FairShare shares = new FairShare(64, 1, told, VirtualPool.unpaused(), 0);
        for (int look = 1; look <= 70; look++) {
            for (int i = 0; i < 100; i++) {
                int weight = look == 70 && i == 0 ? nonsense : 1;
                if (shares.refusing(1, 1, i * 42_949_673, weight) == null) {
                    shares.served(1, 32_000_000);
                }
            }
            shares.look(50_000_000, THREADS, THREADS, look * FairShare.INTERVAL_NANOS);
        }
        double part = shares.cut().get(0).admittedPart();
        assertTrue(part > 0.2, () -> "admitted: " + part);
    }

    /** What would be refused is served all the same, and nobody asks for it again. */
    @Test
    void aDryRunTellsThePartThatWouldBeAdmitted() {
        FairShare shares = new FairShare(64, 1, told, VirtualPool.unpaused(), 0);
        shares.enforce(false);
        for (int look = 1; look <= 80; look++) {
            for (int i = 0; i < 100; i++) {
                shares.refusing(1, 1, i * 42_949_673, 1);
                shares.served(1, 32_000_000);
            }
            shares.look(50_000_000, THREADS, THREADS, look * FairShare.INTERVAL_NANOS);
        }
        assertEquals(0.83, shares.cut().get(0).admittedPart(), 0.05);
    }
}
