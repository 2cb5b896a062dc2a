// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.common;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class WaitingThreadsTest {
    private static final long PATIENT = 100;
    private static final long BRIEF = 10;

    @Property(seed = "102")
    void aQuarterOfTheThreadsWaitsPatiently(@ForAll @IntRange(min = 1, max = 1024) int threads) {
        WaitingThreads waiting = new WaitingThreads(threads, PATIENT, BRIEF);
        int patient = 0;
        for (int thread = 0; thread < threads; thread++) {
            patient += waiting.begin() == PATIENT ? 1 : 0;
        }
        assertEquals(Math.max(1, threads / 4), patient);
        // The end of a brief wait leaves no room for a patient one, the end of a patient one does.
        waiting.end(BRIEF);
        assertEquals(BRIEF, waiting.begin());
        waiting.end(PATIENT);
        assertEquals(PATIENT, waiting.begin());
        assertEquals(BRIEF, waiting.begin());
    }

    @Test
    void neverMoreAtTheSameTime() throws Exception {
        WaitingThreads waiting = new WaitingThreads(8, PATIENT, BRIEF);
        AtomicInteger patient = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        Workers.run(4, worker -> {
            for (int wait = 0; wait < 200_000; wait++) {
                long allowed = waiting.begin();
                if (allowed == PATIENT) {
                    most.accumulateAndGet(patient.incrementAndGet(), Math::max);
                    patient.decrementAndGet();
                }
                waiting.end(allowed);
            }
        });
        assertTrue(most.get() <= 2, "at the same time: " + most);
        assertEquals(PATIENT, waiting.begin());
        assertEquals(PATIENT, waiting.begin());
        assertEquals(BRIEF, waiting.begin());
    }

    @Test
    void nonsenseIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> new WaitingThreads(0, PATIENT, BRIEF));
        assertThrows(IllegalArgumentException.class, () -> new WaitingThreads(8, PATIENT, -1));
        assertThrows(IllegalArgumentException.class, () -> new WaitingThreads(8, BRIEF, BRIEF));
    }
}
