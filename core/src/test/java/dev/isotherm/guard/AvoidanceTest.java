// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.guard.Avoidance.State;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When a replica is avoided. */
class AvoidanceTest extends AvoidanceLooks {
    @ParameterizedTest
    @CsvSource({
        // Three late reads at least.
        "0, 2, 0, false",
        "0, 3, 0, true",
        "0, 0, 3, true",
        "0, 1, 2, true",
        "0, 2, 1, true",
        "0, 1, 1, false",
        // And one in fifty at least.
        "147, 3, 0, true",
        "148, 3, 0, false",
        "490, 10, 0, true",
        "491, 10, 0, false",
        "147, 0, 3, true",
        "148, 0, 3, false",
        "1000000, 3, 0, false"
    })
    void threeLateReadsAndOneInFiftyAreTrouble(int good, int late, int overdue, boolean troubled) {
        Evidence evidence = answers(good, late);
        evidence.overdue = overdue;
        assertEquals(troubled, look(evidence));
        assertEquals(troubled ? State.AVOIDED : State.USED, replica.state());
        assertEquals(late + overdue, replica.lateness().late());
    }

    @Test
    void lateReadsAddUpOverTheStretchAndNoLonger() {
        assertFalse(look(answers(0, 1)));
        assertFalse(look(answers(0, 1)));
        for (int i = 0; i < LOOKS_BACK - 2; i++) {
            assertFalse(look(nothing()));
        }
        assertEquals(2, replica.lateness().late());
        assertFalse(look(answers(0, 1)), "the first is beyond the stretch");
        assertFalse(look(answers(0, 0)));
        assertTrue(look(answers(0, 2)));
        assertEquals("3 of its last 3 reads took longer than 40 ms", replica.reason());
    }

    @Test
    void aSilentReplicaIsAvoidedForOneRead() {
        assertFalse(look(overdue(1, false)));
        assertTrue(look(overdue(1, true)));
        assertEquals("it answers nothing", replica.reason());
        assertEquals(now, replica.sinceNanos());
    }

    @Test
    void whereNoOtherIsWellNoneIsAvoided() {
        anotherIsWell = false;
        for (int i = 0; i < 100; i++) {
            assertFalse(look(overdue(100, true)));
            assertEquals(State.USED, replica.state());
            assertFalse(replica.claimTrial());
        }
        anotherIsWell = true;
        assertTrue(look(overdue(100, true)));
    }

    @ParameterizedTest
    @CsvSource({"0, 0, true", "0, 3, true", "1, 3, false", "1, 4, true", "2, 7, false", "2, 8, true", "3, 100, false"})
    void aReplicaIsWellBesideOneWithFourTimesAsManyLateReads(int late, int lateOfOther, boolean well) {
        look(answers(1_000, late));
        assertEquals(well, replica.isWellBeside(anotherWith(1_000 - lateOfOther, lateOfOther)));
    }

    @Test
    void aSilentReplicaIsNotWellBesideAnother() {
        look(overdue(1, true));
        assertFalse(replica.isWellBeside(anotherWith(0, 100)));
        untilTried();
        assertFalse(replica.isWellBeside(anotherWith(0, 100)));
        passTrial();
        assertTrue(replica.isWellBeside(anotherWith(0, 100)));
    }

    @ParameterizedTest
    @CsvSource({"90, 10, 60, 40, true", "90, 10, 61, 39, false", "97, 3, 88, 12, true", "97, 3, 89, 11, false"})
    void anAvoidedReplicaIsWellBesideOneWhoseReadsAreLateFourTimesAsOften(
            int good, int late, int goodOfOther, int lateOfOther, boolean well) {
        assertTrue(look(answers(good, late)));
        Avoidance other = anotherWith(goodOfOther, lateOfOther);
        assertEquals(well, replica.isWellBeside(other));
        assertTrue(other.decide(answers(0, 0), true, 0, 0));
        assertEquals(well, replica.isWellBeside(other), "and goes on to be");
    }

    @ParameterizedTest
    @CsvSource({
        "100, 0, 1",
        "961, 39, 1",
        "95, 5, 2",
        "801, 199, 2",
        "80, 20, 3",
        "201, 799, 3",
        "20, 80, 4",
        "0, 100, 4"
    })
    void theLaterAReplicaTheHigherItsRankAmongThoseAvoided(int good, int late, int rank) {
        look(answers(good, late));
        assertEquals(rank * ReplicaRanks.AVOIDED, replica.rank(0));
    }

    /** Its reads are quicker than any from another datacenter. */
    @Test
    void aReplicaThatIsSlowHasTheRankOfOneThatIsMostlyLate() {
        Evidence slow = answers(100, 0);
        slow.slow = true;
        assertTrue(look(slow));
        assertEquals("most of its reads take much longer than at other nodes", replica.reason());
        assertEquals(ReplicaRanks.MOST_AVOIDED - ReplicaRanks.AVOIDED, replica.rank(0));
        Evidence hardly = answers(10, 900);
        hardly.slow = true;
        look(hardly);
        assertEquals(ReplicaRanks.MOST_AVOIDED, replica.rank(0));
    }

    @Test
    void aRankStaysWhileNothingIsSeen() {
        look(overdue(1, true));
        assertEquals(ReplicaRanks.MOST_AVOIDED, replica.rank(0));
        look(nothing());
        assertEquals(ReplicaRanks.MOST_AVOIDED, replica.rank(0));
        untilTried();
        look(answers(1, 0));
        assertEquals(ReplicaRanks.AVOIDED, replica.rank(0));
    }

    /** A trial's few answers say little beside one that has all the reads; what is past fades. */
    @Test
    void besideOneThatIsAvoidedLaterItCountsForSecondsByItsWorst() {
        look(overdue(1, true));
        untilTried();
        look(answers(1, 0));
        assertEquals(ReplicaRanks.AVOIDED, replica.rank(0));
        assertEquals(ReplicaRanks.MOST_AVOIDED, replica.rank(1));
        for (int i = 0; i < 300; i++) {
            look(nothing());
        }
        assertEquals(ReplicaRanks.MOST_AVOIDED - ReplicaRanks.AVOIDED + 1, replica.rank(1), "half of it after 3.5 s");
    }

    /** What moved no read to a better place for half a second is no use. */
    @Test
    void whereNoOtherIsWellAnyMoreTheAvoidanceEnds() {
        look(answers(0, 10));
        anotherIsWell = false;
        for (int i = 1; i < LOOKS_BACK; i++) {
            assertFalse(look(overdue(10, false)));
            assertTrue(replica.state() != State.USED);
        }
        anotherIsWell = true;
        assertFalse(look(overdue(10, false)));
        anotherIsWell = false;
        for (int i = 1; i < LOOKS_BACK; i++) {
            assertFalse(look(overdue(10, false)));
        }
        assertTrue(look(overdue(10, false)));
        assertEquals(State.USED, replica.state());
        assertFalse(look(overdue(10, true)), "and it is not avoided again before another is well");
        anotherIsWell = true;
        assertTrue(look(overdue(10, true)));
    }

    private Avoidance anotherWith(int good, int late) {
        Avoidance other = new Avoidance(GuardSettings.defaults(), LOOKS_BACK, now);
        other.see(answers(good, late));
        return other;
    }

    @Test
    void anAvoidanceInVainIsForgotten() {
        look(overdue(3, false));
        replica.endInVain(now);
        assertEquals(State.USED, replica.state());
        assertTrue(look(overdue(3, false)));
        assertEquals(SECOND / 4, untilTried(), "it is no relapse");
    }
}
