// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.share;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class QueueProbeTest {
    private final QueueProbe probe = new QueueProbe();

    @Test
    void tellsTheLeastWaitSinceTheLastLook() {
        for (long waited : new long[] {70, 30, 50}) {
            assertTrue(probe.send(1_000));
            probe.ran(1_000, 1_000 + waited);
        }
        assertEquals(30, probe.leastWait(2_000));
        assertEquals(0, probe.leastWait(3_000));
    }

    @Test
    void oneTaskAtATime() {
        assertTrue(probe.send(0));
        assertFalse(probe.send(10));
        probe.ran(0, 20);
        assertTrue(probe.send(30));
    }

    @Test
    void aTaskThatDoesNotRunWaitsUntilNow() {
        probe.send(100);
        assertEquals(400, probe.leastWait(500));
        assertEquals(900, probe.leastWait(1_000));
    }

    @Test
    void anEmptyQueueIsNoWaitAndATaskInItIsLost() {
        probe.send(100);
        probe.nothingWaits();
        assertEquals(0, probe.leastWait(500));
        assertTrue(probe.send(600));
        probe.ran(100, 700);
        assertEquals(200, probe.leastWait(800), "the lost task's late run says nothing of the present one");
    }

    @Test
    void anEmptyQueueIsTheLeastWaitAfterTasksThatHaveWaited() {
        probe.send(100);
        probe.ran(100, 700);
        probe.nothingWaits();
        assertEquals(0, probe.leastWait(800));
    }

    /** Instants of a clock may be any. */
    @Test
    void aQueueStandsForAsLongAsSomebodyLooksEachInterval() {
        long start = 1_000_000_000_000L;
        probe.send(start);
        probe.send(start + FairShare.INTERVAL_NANOS);
        assertEquals(FairShare.INTERVAL_NANOS, probe.standsNanos());
        probe.ran(start, start + FairShare.TARGET_NANOS);
        assertEquals(FairShare.INTERVAL_NANOS - FairShare.TARGET_NANOS, probe.standsNanos());
        assertEquals(FairShare.TARGET_NANOS, probe.leastWait(start + FairShare.INTERVAL_NANOS));
        probe.send(start + 2 * FairShare.INTERVAL_NANOS + 1);
        assertEquals(0, probe.standsNanos());
    }

    @Test
    void aQueueStandsSinceItWasLastEmpty() {
        QueueProbe probe = new QueueProbe();
        assertEquals(0, probe.standsNanos());
        probe.send(1_000);
        probe.send(11_000);
        assertEquals(10_000, probe.standsNanos());
        probe.ran(1_000, 12_000);
        probe.send(13_000);
        assertEquals(1_000, probe.standsNanos(), "a task that hardly waited is no sign of a queue that stands");
        long late = 13_000 + FairShare.TARGET_NANOS + 1;
        probe.ran(13_000, late);
        probe.send(late);
        assertEquals(late - 12_000, probe.standsNanos(), "one that waited is");
        probe.nothingWaits();
        assertEquals(0, probe.standsNanos());
        probe.send(late + 1);
        assertEquals(0, probe.standsNanos());
        probe.send(late + 2 + FairShare.INTERVAL_NANOS);
        assertEquals(0, probe.standsNanos(), "nobody has looked meanwhile");
    }
}
