// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.guard;

import static dev.isotherm.cassandra.Addresses.node;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.isotherm.cassandra.runtime.RuntimeSwitch;
import dev.isotherm.guard.GuardSettings;
import dev.isotherm.guard.ReadGuard;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.junit.jupiter.api.Test;

/** Which answers to reads say that this node hardly runs, and what this node makes of those of others. */
class StarvedMarksTest {
    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);

    private long now;
    private final RuntimeSwitch enabled = new RuntimeSwitch(true);
    private final ReadGuard<InetAddressAndPort> guard = new ReadGuard<>(
            GuardSettings.defaults(),
            node(1),
            () -> 5_000 * MS,
            () -> 10_000 * MS,
            node -> true,
            new AvoidanceLog(enabled),
            0);
    private final StarvedMarks marks = new StarvedMarks(enabled, guard, () -> now);

    /** Ten milliseconds of each hundred, as under a quota; in each, node 2 answers a read. */
    private void hardlyRun(int periods) {
        for (int period = 0; period < periods; period++) {
            now += 90 * MS;
            guard.look(now);
            now += 10 * MS;
            guard.sent(node(2), period, now);
            guard.answered(node(2), period, now);
            guard.look(now);
        }
    }

    private byte[] riding(int node) {
        return marks.valueFor(null, node(node));
    }

    @Test
    void aNodeThatRunsSaysNothing() {
        for (int look = 0; look < 500; look++) {
            now += 10 * MS;
            guard.look(now);
            assertNull(riding(2));
        }
        assertEquals(0, marks.remembered());
    }

    @Test
    void oneThatHardlyRunsSaysSoToEachCoordinatorOnceASecond() {
        hardlyRun(20);
        assertNotNull(riding(2));
        assertNull(riding(2));
        assertNotNull(riding(3));
        now += 999 * MS;
        assertNull(riding(2));
        now += MS;
        assertNotNull(riding(2));
        marks.forget(node(2));
        assertEquals(1, marks.remembered());
    }

    @Test
    void whatIsSwitchedOffSaysNothing() {
        hardlyRun(20);
        enabled.setting("guard.enabled").change("false");
        assertNull(riding(2));
    }

    @Test
    void whatAnotherSaysKeepsThisOnesReadsHere() {
        hardlyRun(20);
        assertEquals("avoided", guard.statusOf(node(1), now).state());
        marks.told(node(2), riding(2));
        hardlyRun(1);
        assertEquals("used", guard.statusOf(node(1), now).state());
    }

    @Test
    void nonsenseIsCountedAndChangesNothing() {
        hardlyRun(20);
        marks.told(node(2), new byte[] {2});
        marks.told(node(2), new byte[0]);
        hardlyRun(1);
        assertEquals("avoided", guard.statusOf(node(1), now).state());
        assertEquals(2, marks.malformed());
    }
}
