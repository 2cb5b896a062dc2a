// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class CoordinatedReadsTest {
    private static final long ROUND = 200_000_000L;
    private static final long SECOND = 1_000_000_000L;

    private long now = 77;
    private final CoordinatedReads reads = new CoordinatedReads(now);

    private void run(double perSecond, long nanos) {
        for (long until = now + nanos; now - until < 0; ) {
            now += ROUND;
            reads.add(perSecond * ROUND / SECOND, now);
        }
    }

    @Test
    void nothingIsToldForFiveSeconds() {
        run(100, 5 * SECOND - ROUND);
        assertNull(reads.rate());
        run(100, ROUND);
        assertEquals(100, reads.rate().perSecond(), 5);
    }

    @Test
    void aNodeThatCoordinatesNothingSaysSo() {
        run(0, 5 * SECOND);
        assertSame(RequestRate.NONE, reads.rate());
    }

    @Test
    void aPauseIsNoTimeWithoutReads() {
        run(1_000, 30 * SECOND);
        now += 3_600 * SECOND;
        reads.skip(now);
        assertEquals(1_000, reads.rate().perSecond(), 50);
        for (int round = 0; round < 50; round++) {
            run(1_000, ROUND);
            assertEquals(1_000, reads.rate().perSecond(), 50);
        }
    }

    @Test
    void aChangedRateIsToldWithinSeconds() {
        run(100, 30 * SECOND);
        run(50, 15 * SECOND);
        assertEquals(50, reads.rate().perSecond(), 10);
        run(0, 60 * SECOND);
        assertSame(RequestRate.NONE, reads.rate());
        run(100, 15 * SECOND);
        assertEquals(100, reads.rate().perSecond(), 20);
    }

    /** Plans are built anew whenever a rate changes: chance alone must hardly change it. */
    @Test
    void chanceHardlyChangesTheRateTold() {
        SplittableRandom random = new SplittableRandom(3);
        run(100, 20 * SECOND);
        int changes = 0;
        RequestRate before = reads.rate();
        for (int round = 0; round < 5 * 3600; round++) {
            now += ROUND;
            int arrived = 0;
            for (int i = 0; i < 2000; i++) {
                arrived += random.nextInt(100) == 0 ? 1 : 0;
            }
            reads.add(arrived, now);
            changes += before == reads.rate() ? 0 : 1;
            before = reads.rate();
        }
        assertTrue(changes <= 12, changes + " changes in an hour of 100 reads a second on average");
    }

    @Test
    void aClockThatStandsStillAddsNothing() {
        run(100, 20 * SECOND);
        RequestRate before = reads.rate();
        reads.add(1e9, now);
        reads.add(1e9, now - 5);
        run(100, ROUND);
        assertSame(before, reads.rate());
    }
}
