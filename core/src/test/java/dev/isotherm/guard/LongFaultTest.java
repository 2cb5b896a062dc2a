// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import static dev.isotherm.guard.VirtualReads.MS;
import static dev.isotherm.guard.VirtualReads.SECOND;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A fault that lasts for twenty minutes does not become what is usual for the replica, in virtual time. */
class LongFaultTest {
    private static final int FAULT = 60;
    private static final int END = 1_260;
    private static final int BAD = 2;

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void messagesThatAreLate(long seed) {
        lasts(seed, bad -> bad.networkNanos = 100 * MS, bad -> bad.networkNanos = MS / 5);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void aSlowDisk(long seed) {
        lasts(seed, bad -> bad.setDisk(400 * MS), bad -> bad.setDisk(8 * MS));
    }

    private static void lasts(long seed, Consumer<VirtualReads.Node> begins, Consumer<VirtualReads.Node> ends) {
        VirtualReads cluster = new VirtualReads(45, seed);
        cluster.runUntil(FAULT * SECOND);
        begins.accept(cluster.nodes.get(BAD));
        cluster.runUntil(END * SECOND);
        ends.accept(cluster.nodes.get(BAD));
        cluster.runUntil((END + 60) * SECOND);

        double well = cluster.millis(0.99, 5, FAULT, BAD);
        for (int from = FAULT + 10; from < END; from += 30) {
            double tail = cluster.millis(0.97, from, from + 30, BAD);
            assertTrue(tail <= 2 * well, tail + " ms from " + from + " s on, " + well + " while well; " + cluster.log);
        }
        double share = cluster.servedSince(BAD, END + 15) / 45.0;
        assertTrue(share >= 0.9 * 30, share + " reads/s of 30 once it is well; " + cluster.log);
    }

    /** A node's own reads, by what they take on average: at most four times what they take elsewhere. */
    @Test
    void ofItsOwnReads() {
        OwnReads own = new OwnReads();
        own.seconds(60, 10 * MS, 2 * MS, true);
        long before = own.patienceAlone();
        own.seconds(3 * 3_600, 40 * MS, 2 * MS, false);
        assertEquals(before, own.patienceAlone());
        own.seconds(3_600, 25 * MS, 8 * MS, false);
        assertTrue(own.patienceAlone() > 90 * MS, "what takes three times as long is learnt in an hour");
    }

    private static final class OwnReads {
        private final LocalReads local = new LocalReads(GuardSettings.defaults());
        private final Evidence seen = new Evidence();
        private long now;
        private long reads;
        private long nanos;

        /** A hundred reads in each. */
        void seconds(int seconds, long nanosEach, long elsewhereNanos, boolean inUse) {
            for (int second = 0; second < seconds; second++) {
                now += SECOND;
                reads += 100;
                nanos += 100 * nanosEach;
                local.observe(1, reads, nanos, 0, 0, now);
                local.see(seen, now);
                KnownReads.compare(local, new KnownReads(-1, elsewhereNanos, 1));
                local.learn(inUse);
            }
        }

        long patienceAlone() {
            KnownReads.compare(local);
            return local.patienceNanos();
        }
    }
}
