// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.guard;

import static dev.isotherm.cassandra.Addresses.node;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.LogLines;
import dev.isotherm.cassandra.runtime.RuntimeSwitch;
import java.util.List;
import org.junit.jupiter.api.Test;

class AvoidanceLogTest {
    private final RuntimeSwitch enabled = new RuntimeSwitch(true);
    private final AvoidanceLog log = new AvoidanceLog(enabled);

    private static List<String> logged(Runnable told) {
        return LogLines.of("dev.isotherm", told);
    }

    /** A log whose disk hangs would hold up the guard, and with it the way around that disk. */
    @Test
    void whoeverTellsOfAnAvoidanceDoesNotWriteIt() {
        assertFalse(log.isWaiting());
        assertEquals(List.of(), logged(() -> {
            log.began(node(2), "it answers nothing");
            log.ended(node(2), 1_500_000_000);
        }));
        assertTrue(log.isWaiting());
        assertEquals(1, log.avoidances());
        assertEquals(
                List.of(
                        "Reads of this coordinator avoid /127.0.0.2:7000: it answers nothing",
                        "Reads of this coordinator use /127.0.0.2:7000 again, after 1500 ms"),
                logged(log::write));
        assertFalse(log.isWaiting());
        assertEquals(List.of(), logged(log::write));
    }

    @Test
    void whileTheGuardIsOffTheLinesSayWhatItWouldDo() {
        enabled.set(false);
        log.began(node(2), "it answers nothing");
        log.ended(node(2), 1_500_000_000);
        assertEquals(0, log.avoidances());
        assertEquals(
                List.of(
                        "The guard is switched off; reads of this coordinator would avoid /127.0.0.2:7000: it answers"
                                + " nothing",
                        "The guard is switched off; it would no longer avoid /127.0.0.2:7000, after 1500 ms"),
                logged(log::write));
    }

    @Test
    void whereTheLogHangsTheLinesThatWaitAreNoMoreThanAThousand() {
        for (int i = 0; i < 5_000; i++) {
            log.began(node(2), "it answers nothing");
        }
        assertEquals(5_000, log.avoidances());
        // Counted before they are written: the ration of the log would hide how many there are.
        assertEquals(1_000, log.waiting());
        log.write();
        assertFalse(log.isWaiting());
    }
}
