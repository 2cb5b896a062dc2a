// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.share;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.Scale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A partition that asks for sixteen of 32 threads. */
class WatchedPartitionTest {
    private static final int POOL = 32;
    private final WatchedPartition partition = new WatchedPartition(7, 16);

    @Test
    void atFirstItIsAdmittedWhole() {
        assertEquals(7, partition.partition());
        assertEquals(1, partition.admittedPart(), 0);
        assertEquals(1, partition.weight(0));
        assertFalse(partition.isCut());
        assertFalse(partition.refuses(1, -1, 1));
    }

    @Test
    void ofAllRandomNumbersThePartIsAdmitted() {
        partition.admit(4, POOL);
        assertEquals(0.125, partition.mayHold(), 0);
        assertEquals(0.5, partition.held(), 0);
        assertEquals(0.25, partition.admittedPart(), 0);
        assertEquals(4, partition.weight(0));
        assertTrue(partition.isCut());
        assertFalse(partition.refuses(1, 0, 1));
        assertFalse(partition.refuses(1, 0x3fffffff, 1));
        assertTrue(partition.refuses(1, 0x40000000, 1));
        assertTrue(partition.refuses(1, -1, 1), "the numbers are without a sign");
    }

    /** Of n in a row as many as the part says, within a few; by chance it would be within a few square roots of n. */
    @ParameterizedTest
    @ValueSource(doubles = {0.01, 0.1, 0.25, 0.382, 0.5, 0.618, 0.9})
    void itsNumbersAdmitAtNearlyEqualDistances(double part) {
        partition.admit(16 * part, POOL);
        int admitted = 0;
        for (int n = 1; n <= 100_000; n++) {
            admitted += partition.refuses(1, partition.nextNumber(), 1) ? 0 : 1;
            assertEquals(part * n, admitted, 4, () -> "of " + part);
        }
    }

    @Test
    void whoMayHoldAllItAsksForIsNotCut() {
        partition.admit(16, POOL);
        assertFalse(partition.isCut());
        assertFalse(partition.refuses(1, -1, 1));
        assertEquals(0.5, partition.mayHold(), 0);
        partition.admit(40, POOL);
        assertFalse(partition.isCut());
        assertEquals(1, partition.mayHold(), 0);
        partition.admit(4, 0);
        assertEquals(1, partition.mayHold(), 0, "of a pool that is not known");
        assertTrue(partition.isCut());
    }

    @Test
    void whatItHoldsIsThatOfTheLastLook() {
        partition.admit(4, POOL);
        assertEquals(0.5, partition.held(), 0);
        for (double busy : new double[] {12, 3, 32, 40}) {
            partition.look(0.1, 0.8, true);
            partition.demand.served(busy, true);
            partition.admit(4, POOL);
            assertEquals(Math.min(1, busy / POOL), partition.held(), 1e-9);
            assertEquals(0.125, partition.mayHold(), 0);
        }
    }

    /** After a tenth of a second a mean over half a second knows a fifth of what is held. */
    @Test
    void whoseCutBeginsHoldsWhatItMayThoughLessIsKnown() {
        WatchedPartition found = new WatchedPartition(1, 2);
        double kept = Math.exp(-0.2);
        look(found, kept, 2);
        found.admit(8, POOL);
        assertTrue(found.isCut());
        assertEquals(0.25, found.held(), 1e-9);
        assertEquals(0.25, found.mayHold(), 0);
        // It holds eight threads, and more and more of that is known.
        for (int look = 1; look <= 20; look++) {
            double known = 8 - 6 * Math.pow(kept, look);
            look(found, kept, known);
            found.admit(look < 20 ? 4 : 1000, POOL);
            assertEquals((look < 20 ? 8 : known) / POOL, found.held(), 1e-9);
        }
        assertFalse(found.isCut());
    }

    /** Of operations of 10 ms many more are asked for than the pool can serve. */
    private static void look(WatchedPartition partition, double kept, double busyThreads) {
        for (int i = 0; i < 100; i++) {
            partition.refuses(1, i << 25, 10);
            partition.ended(10_000_000, true);
        }
        partition.look(0.1, kept, true);
        partition.demand.served(busyThreads, true);
    }

    @Test
    void oneStandsForTheInverseOfThePart() {
        partition.admit(6.4, POOL);
        assertEquals(2, partition.weight(0.49));
        assertEquals(3, partition.weight(0.51));
        partition.admit(0, POOL);
        assertEquals(FairShare.MOST_WEIGHT, partition.weight(0));
        assertFalse(partition.refuses(1, 0, 1), "never is nothing admitted");
    }

    @Test
    void theMostIsWhatItsOperationsSaidLast() {
        assertEquals(1, partition.mostShare(), 0);
        partition.refuses(0.25, 0, 1);
        assertEquals(0.25, partition.mostShare(), 0);
        partition.refuses(1, 0, 1);
        assertEquals(1, partition.mostShare(), 0);
    }

    @Test
    void itBeginsOnceAndEndsOnceAfterASecondWhole() {
        assertFalse(partition.begins());
        partition.admit(4, POOL);
        assertTrue(partition.begins());
        assertFalse(partition.begins());
        partition.admit(16, POOL);
        partition.look(0.75, 0.5, true);
        assertFalse(partition.ends(1));
        partition.admit(4, POOL);
        partition.look(0.75, 0.5, true);
        assertFalse(partition.ends(1), "while it is cut");
        assertFalse(partition.begins(), "it has not ended in between");
        partition.admit(16, POOL);
        partition.look(0.5, 0.5, true);
        assertFalse(partition.ends(1), "the second begins anew");
        partition.look(0.5, 0.5, true);
        assertTrue(partition.ends(1));
        assertFalse(partition.ends(1));
        assertFalse(partition.leaves());
        partition.admit(4, POOL);
        assertTrue(partition.begins());
    }

    @Test
    void whoLeavesWhileItIsCutHasEnded() {
        assertFalse(partition.leaves());
        partition.admit(4, POOL);
        assertFalse(partition.leaves(), "nobody was told yet");
        assertTrue(partition.begins());
        assertTrue(partition.leaves());
        assertFalse(partition.leaves());
    }

    @Test
    void neverIsNothingAdmitted() {
        WatchedPartition whole = new WatchedPartition(1, POOL);
        for (int look = 0; look < 10; look++) {
            whole.refuses(1, -1, 1_000_000);
            whole.look(0.1, 0.8, true);
            whole.ended(1_000_000_000L * POOL, true);
            whole.demand.served(POOL, false);
            whole.admit(1e-9, POOL);
        }
        assertEquals(1.0 / FairShare.MOST_WEIGHT, whole.admittedPart(), 1e-9);
        assertEquals(FairShare.MOST_WEIGHT, whole.weight(0));
        assertFalse(whole.refuses(1, 0, 1));
    }

    /** Another node admits one in eight, this one each second: it begins what that one has admitted, and no more. */
    @Test
    void whatAnotherNodeAdmitsWithASmallerPartIsNotExpectedTwice() {
        partition.admit(8, POOL);
        assertEquals(0.5, partition.admittedPart(), 0);
        for (int look = 0; look < 200; look++) {
            for (int decision = 0; decision < 10; decision++) {
                partition.refuses(1, look * 10 + decision, 8);
                partition.ended(10_000_000, true);
            }
            partition.look(0.1, 0.8, true);
            partition.demand.served(1, false);
        }
        // 100 a second are admitted, of 800 that ask, and each holds a thread for 10 ms.
        assertEquals(1, partition.demand.unqueuedThreads(true), 0.01);
        assertEquals(8, partition.demand.threads(), 0.1);
    }

    /** A dry run serves what another node has admitted, however many it stands for. */
    @Test
    void whereNothingIsRefusedWhatAnotherNodeAdmitsIsServed() {
        partition.admit(8, POOL);
        for (int look = 0; look < 200; look++) {
            for (int decision = 0; decision < 10; decision++) {
                partition.refuses(1, look * 10 + decision, 8);
                partition.ended(10_000_000, true);
            }
            partition.look(0.1, 0.8, false);
            partition.demand.served(1, false);
        }
        assertEquals(1, partition.demand.unqueuedThreads(true), 0.01);
        assertEquals(8, partition.demand.threads(), 0.1);
    }

    /** Whatever part another node admits, and whichever weights it draws for it: what is served here is known. */
    @Property(tries = 200, seed = "7", edgeCases = EdgeCasesMode.NONE)
    void whatOfThinnedOperationsIsNotRefusedIsKnown(
            @ForAll @DoubleRange(min = 0.0625, max = 1) @Scale(4) double elsewhere,
            @ForAll @DoubleRange(min = 0.0625, max = 1) @Scale(4) double here,
            @ForAll boolean writes,
            @ForAll long seed) {
        WatchedPartition asked = new WatchedPartition(7, POOL);
        asked.admit(POOL * here, POOL);
        int operations = 20_000;
        int served = serve(asked, operations, elsewhere, writes, new SplittableRandom(seed));
        asked.look(0.1, 0.8, true);
        asked.demand.served(served * 0.1, true);
        // Each holds a thread for 10 ms, and each second has ten times the operations of a look.
        assertEquals(served * 0.1, asked.demand.unqueuedThreads(true), 0.02 * served * 0.1);
    }

    /** A decision never seems to bring more than one operation, and the demand is that of those that are asked for. */
    @Property(tries = 40, seed = "7", edgeCases = EdgeCasesMode.NONE)
    void whatIsAskedForIsThatOfThinnedOperations(
            @ForAll @DoubleRange(min = 0.0625, max = 1) @Scale(4) double elsewhere,
            @ForAll @DoubleRange(min = 0.0625, max = 1) @Scale(4) double here,
            @ForAll long seed) {
        WatchedPartition asked = new WatchedPartition(7, POOL);
        asked.admit(POOL * here, POOL);
        SplittableRandom random = new SplittableRandom(seed);
        int operations = 20_000;
        for (int look = 0; look < 60; look++) {
            int served = serve(asked, operations, elsewhere, false, random);
            asked.look(0.1, 0.8, true);
            asked.demand.served(served * 0.1, false);
        }
        assertEquals(operations * 0.1, asked.demand.threads(), 0.05 * operations * 0.1);
    }

    /** Another node thins so many operations, of 10 ms each; how many are served here: of writes all the others. */
    private static int serve(
            WatchedPartition asked, int operations, double elsewhere, boolean writes, SplittableRandom random) {
        int served = 0;
        for (int i = 0; i < operations; i++) {
            int number = random.nextInt();
            if (!ToldPart.refuses(elsewhere, number)
                    && !asked.refuses(1, writes ? 0 : number, Weight.of(elsewhere, random.nextDouble()))) {
                asked.ended(10_000_000, true);
                served++;
            }
        }
        return served;
    }
}
