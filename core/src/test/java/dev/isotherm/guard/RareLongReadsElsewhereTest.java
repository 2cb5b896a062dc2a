// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import static dev.isotherm.guard.GuardedCluster.A;
import static dev.isotherm.guard.GuardedCluster.B;
import static dev.isotherm.guard.GuardedCluster.MS;
import static dev.isotherm.guard.GuardedCluster.SECOND;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.function.IntToLongFunction;
import org.junit.jupiter.api.Test;

/** One read in twenty goes to the disk, here as elsewhere: what those take is no trouble, also after a slow time. */
class RareLongReadsElsewhereTest {
    private static final IntToLongFunction USUAL = read -> read % 20 == 0 ? 200 * MS : MS;

    private final GuardedCluster cluster = new GuardedCluster(GuardSettings.defaults(), 5 * SECOND);
    private int ofA;
    private int ofB;

    private void seconds(int seconds, IntToLongFunction nanosOfB) {
        for (int look = 0; look < 100 * seconds; look++) {
            cluster.now += ReadGuard.LOOK_NANOS;
            cluster.read(A, USUAL.applyAsLong(ofA++));
            if (cluster.isRead(B)) {
                cluster.read(B, nanosOfB.applyAsLong(ofB++));
            }
            cluster.guard.look(cluster.now);
        }
    }

    @Test
    void oneThatWasSlowIsUsedForGoodOnceItIsAsTheOthers() {
        seconds(60, USUAL);
        assertEquals(0, cluster.log.size(), cluster.log::toString);
        seconds(30, read -> 100 * MS);
        assertEquals(1, cluster.log.size(), cluster.log::toString);
        seconds(80, USUAL);
        assertEquals("used", cluster.guard.statusOf(B, cluster.now).state(), cluster.log::toString);
        assertEquals(2, cluster.log.size(), cluster.log::toString);
    }
}
