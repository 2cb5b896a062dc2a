// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import static dev.isotherm.guard.GuardedCluster.A;
import static dev.isotherm.guard.GuardedCluster.B;
import static dev.isotherm.guard.GuardedCluster.MS;
import static dev.isotherm.guard.GuardedCluster.SECOND;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.Test;

/** Reads that always take long somewhere are in no queue, and no reason to use a replica that is avoided. */
class AlwaysSlowTest {
    private final GuardedCluster cluster = new GuardedCluster(GuardSettings.defaults(), 5 * SECOND);

    /** Of three others one always takes 50 ms, as it serves large partitions; it gets four reads before each look. */
    private final class BesideOneThatIsAlwaysSlow {
        private static final int LOOKS_OF_A_READ = 5;
        private static final int READS_A_LOOK = 4;

        private final Deque<Long> underWay = new ArrayDeque<>();

        void looks(int looks, Runnable others) {
            for (int look = 0; look < looks; look++) {
                cluster.now += ReadGuard.LOOK_NANOS;
                for (int read = 0; read < READS_A_LOOK; read++) {
                    underWay.add(cluster.send("e"));
                    if (underWay.size() > READS_A_LOOK * LOOKS_OF_A_READ) {
                        cluster.guard.answered("e", underWay.remove(), cluster.now);
                    }
                }
                others.run();
                cluster.guard.look(cluster.now);
            }
        }

        void readBoth() {
            cluster.read(A, 13 * MS);
            cluster.read(B, 13 * MS);
        }
    }

    @Test
    void oneThatIsAlwaysSlowSaysNothingOfQueues() {
        BesideOneThatIsAlwaysSlow e = new BesideOneThatIsAlwaysSlow();
        e.looks(500, e::readBoth);
        cluster.late(B);
        assertTrue(cluster.isAvoided(B), cluster.log::toString);
        e.looks(24, () -> cluster.read(A, 13 * MS));
        assertTrue(cluster.isAvoided(B), cluster.log::toString);
    }

    @Test
    void nearlyAsLittleAfterMovesInVain() {
        BesideOneThatIsAlwaysSlow e = new BesideOneThatIsAlwaysSlow();
        e.looks(500, e::readBoth);
        cluster.late(B);
        e.looks(24, () -> cluster.read(A, 13 * MS));
        cluster.waiting(A, 3, 33 * MS);
        assertFalse(cluster.isAvoided(B), cluster.log::toString);
        cluster.guard.forget(A);
        e.looks(150, e::readBoth);
        cluster.late(B);
        assertTrue(cluster.isAvoided(B), cluster.log::toString);
    }

    @Test
    void tasksThatAlwaysTakeLongHereSayNothingOfQueues() {
        for (int second = 0; second < 3; second++) {
            for (int look = 0; look < 100; look++) {
                cluster.now += ReadGuard.LOOK_NANOS;
                cluster.serveWhileBusy(20, 1, 200 * MS);
                cluster.read(A, 5 * MS);
                cluster.read(B, 5 * MS);
                cluster.guard.look(cluster.now);
            }
        }
        cluster.late(B);
        assertTrue(cluster.isAvoided(B), cluster.log::toString);
        for (int look = 0; look < 60; look++) {
            cluster.now += ReadGuard.LOOK_NANOS;
            cluster.serveWhileBusy(20, 1, 200 * MS);
            cluster.read(A, 5 * MS);
            assertTrue(cluster.isAvoided(B), () -> cluster.log + "");
        }
    }
}
