// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class LatenessTest {
    private final Evidence seen = new Evidence();
    private final Lateness lateness = new Lateness(50);

    private void see(int good, int late, int overdue, int overdueLonger) {
        seen.clear();
        seen.good = good;
        seen.late = late;
        seen.overdue = overdue;
        seen.overdueLonger = overdueLonger;
        lateness.see(seen);
    }

    private void assertLate(int late, int reads, boolean marked) {
        assertEquals(late, lateness.late());
        assertEquals(reads, lateness.reads());
        assertEquals(marked, lateness.isMarked());
    }

    @Test
    void threeOfTheLastStretchAndOneInFiftyAreNoChance() {
        see(100, 2, 0, 0);
        assertLate(2, 102, false);
        see(47, 1, 0, 0);
        assertLate(3, 150, true);
        see(1, 0, 0, 0);
        assertLate(3, 151, false);
    }

    @Test
    void readsThatAreOverdueAreLateAtEachLookAndOnce() {
        see(10, 1, 2, 0);
        assertLate(3, 13, true);
        see(0, 0, 2, 0);
        assertLate(3, 13, true);
        see(2, 0, 0, 0);
        assertLate(1, 13, false);
    }

    /** For longer than a stretch: its answers do not tell which part of all reads they are. */
    @Test
    void readsThatWaitForLongAreComparedWithTheAnswersOfSeconds() {
        see(140, 0, 0, 0);
        see(0, 0, 0, 3);
        assertLate(3, 143, true);
        Lateness busy = new Lateness(1);
        seen.clear();
        seen.good = 400;
        busy.see(seen);
        seen.clear();
        seen.overdueLonger = 3;
        busy.see(seen);
        assertEquals(3, busy.reads());
        assertFalse(busy.isMarked(), "three of four hundred of the seconds before");
        seen.overdueLonger = 4;
        seen.overdue = 5;
        busy.see(seen);
        assertTrue(busy.isMarked(), "nine are");
    }

    @Test
    void ofThoseThatWaitSomeForLongAndSomeForLessBothCount() {
        see(100, 0, 0, 0);
        see(0, 0, 2, 1);
        assertLate(3, 103, true);
    }

    @Test
    void aReplicaThatIsUsuallyLateSoOftenIsNotMarkedForIt() {
        for (int look = 0; look < 1_000; look++) {
            see(look % 50 == 0 ? 99 : 98, look % 50 == 0 ? 1 : 2, 0, 0);
            lateness.learn();
        }
        int late = lateness.late();
        see(98, 2, 0, 0);
        assertTrue(late > 90 && !lateness.isMarked(), late + " of a stretch");
        lateness.beginStretch();
        assertLate(0, 0, false);
    }
}
