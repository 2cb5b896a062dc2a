// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class ElsewhereTest {
    private static final long MS = 1_000_000;

    /** This node, of whose reads only means are known. */
    private final KnownReads self = new KnownReads(-1, 4 * MS, -1);

    private final Elsewhere elsewhere = new Elsewhere();

    private void know(KnownReads... replicas) {
        elsewhere.clear();
        for (KnownReads replica : replicas) {
            elsewhere.add(replica, true);
        }
    }

    @Test
    void theTailOfTheFastestOtherIsItsMeanWithTheSpreadOfTheFastestOtherNode() {
        KnownReads far = new KnownReads(90 * MS, 60 * MS, 1.5);
        KnownReads near = new KnownReads(30 * MS, 5 * MS, 20);
        know(self, far, near);
        assertEquals(4 * MS, elsewhere.meanNanos(near));
        assertEquals(6 * MS, elsewhere.tailNanos(near), "its own spread is no measure");
        assertEquals(80 * MS, elsewhere.tailNanos(far));
        assertEquals(5 * MS, elsewhere.meanNanos(self));
        assertEquals(100 * MS, elsewhere.tailNanos(self));
    }

    /** Two slow replicas do not excuse each other: the third one's mean is the least for both. */
    @Test
    void besideOneThatIsWellTwoSlowOnesAreSlow() {
        KnownReads slow = new KnownReads(30 * MS, 300 * MS, 3);
        KnownReads alsoSlow = new KnownReads(30 * MS, 280 * MS, 3);
        know(self, slow, alsoSlow);
        assertEquals(12 * MS, elsewhere.tailNanos(slow));
        assertEquals(12 * MS, elsewhere.tailNanos(alsoSlow));
    }

    @Test
    void withoutASpreadTheTailIsTenTimesTheMean() {
        KnownReads silent = new KnownReads(30 * MS, -1, -1);
        know(self, silent);
        assertEquals(40 * MS, elsewhere.tailNanos(silent));
        assertEquals(-1, elsewhere.meanNanos(self));
        assertEquals(-1, elsewhere.tailNanos(self));
    }

    /** Of three nodes each is compared with the quicker of both others, and a far one with none. */
    @Test
    void whatReadsTypicallyTakeIsThatOfTheOtherNearNodes() {
        KnownReads quick = new KnownReads(-1, 2 * MS, 10, MS);
        KnownReads slow = new KnownReads(-1, 200 * MS, 2, 300 * MS);
        KnownReads far = new KnownReads(-1, MS / 10, 1, MS / 10);
        know(self, quick, slow);
        elsewhere.add(far, false);
        assertEquals(MS, elsewhere.typicalNanos(0.75, slow));
        assertEquals(300 * MS, elsewhere.typicalNanos(0.75, quick));
        assertEquals(MS / 2, elsewhere.typicalNanos(0.5, slow));
        assertEquals(2 * MS, elsewhere.typicalMeanNanos(self));
        assertEquals(MS / 2, elsewhere.typicalMedianRoundTripNanos(slow));
        assertEquals(-1, elsewhere.typicalMedianRoundTripNanos(far));
        assertEquals(-1, elsewhere.typicalNanos(0.75, far));
        assertEquals(-1, elsewhere.typicalMeanNanos(far));
    }

    /** What this node needs for its own reads is no round trip. */
    @Test
    void roundTripsAreComparedWithThoseToOtherNodes() {
        KnownReads quickSelf = new KnownReads(-1, MS, -1, MS);
        KnownReads slow = new KnownReads(-1, 40 * MS, 2, 60 * MS);
        know(quickSelf, slow);
        assertEquals(-1, elsewhere.typicalMedianRoundTripNanos(slow));
        assertEquals(MS / 2, elsewhere.typicalNanos(0.5, slow));
        know(quickSelf, slow, new KnownReads(-1, 40 * MS, 2, 50 * MS));
        assertEquals(25 * MS, elsewhere.typicalMedianRoundTripNanos(slow));
    }

    @Test
    void whatWasKnownIsNotKnownAnyMoreOnceItIsCleared() {
        know(
                self,
                new KnownReads(MS, 2 * MS, 10, MS),
                new KnownReads(MS, 3 * MS, 10, MS),
                new KnownReads(MS, MS, 10, MS));
        assertEquals(MS, elsewhere.typicalNanos(0.75, self));
        know(self);
        assertEquals(-1, elsewhere.meanNanos(self));
        assertEquals(-1, elsewhere.tailNanos(self));
        assertEquals(-1, elsewhere.typicalMeanNanos(self));
        assertEquals(-1, elsewhere.typicalNanos(0.75, self));
        KnownReads quick = new KnownReads(-1, MS, -1);
        know(self, quick);
        assertEquals(10 * MS, elsewhere.tailNanos(self), "no node's spread is known");
    }

    /** What is usual is known of a replica that was not heard for long. */
    @Test
    void theUsualTailIsTheLeastOfAllOthers() {
        know(self);
        assertEquals(0, elsewhere.usualTailNanos(self));
        know(self, new KnownReads(-1, -1, -1));
        assertEquals(-1, elsewhere.usualTailNanos(self));
        know(self, new KnownReads(-1, -1, -1), new KnownReads(40 * MS, -1, -1), new KnownReads(90 * MS, -1, -1));
        assertEquals(40 * MS, elsewhere.usualTailNanos(self));
    }
}
