// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import static dev.isotherm.cassandra.Addresses.node;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.cassandra.runtime.UnreadableValues;
import dev.isotherm.cassandra.wire.MangledBytes;
import dev.isotherm.common.RunningClock;
import dev.isotherm.share.FairShare;
import dev.isotherm.share.WatchedPartition;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** Whatever a coordinator says of what it has decided about a read or a write, the shares stay what they can be. */
class ShareDecisionsFromPeersTest {
    private static final int THREADS = 32;
    private static final FairShare.Listener NOBODY = new FairShare.Listener() {
        @Override
        public void began(WatchedPartition partition) {}

        @Override
        public void ended(WatchedPartition partition) {}
    };

    private final FairShare shares =
            new FairShare(64, 1, NOBODY, new RunningClock(FairShare.LATE_NANOS, FairShare.LATE_NANOS, 0), 0);
    private final UnreadableValues unreadable = new UnreadableValues();
    private int looks;

    /** A partition that holds half of the threads where operations wait. */
    private void look() {
        shares.served(1, FairShare.INTERVAL_NANOS * THREADS / 2);
        shares.servedOther(FairShare.INTERVAL_NANOS * THREADS / 2);
        shares.look(50_000_000, THREADS, THREADS, ++looks * FairShare.INTERVAL_NANOS);
    }

    @Test
    void decisions() {
        for (int i = 0; i < 30; i++) {
            shares.refusing(1, 1, i << 25, 1);
            look();
        }
        assertNotNull(shares.watched(1));
        MangledBytes.give(
                61,
                random -> ByteBuffer.allocate(2 * Integer.BYTES)
                        .putInt(random.nextInt())
                        .putInt(random.nextInt(0, FairShare.MOST_WEIGHT))
                        .array(),
                bytes -> {
                    long before = unreadable.count();
                    ByteBuffer decision = ShareDecision.ofRead(node(1), bytes, unreadable);
                    assertEquals(bytes.length == 2 * Integer.BYTES, decision != null);
                    assertEquals(
                            decision == null && !UnmarkedReads.isOfUndecided(bytes), unreadable.count() == before + 1);
                    if (decision != null) {
                        shares.refusing(1, 1, decision.getInt(), decision.getInt());
                    }
                    return decision != null;
                });
        look();
        WatchedPartition watched = shares.watched(1);
        assertTrue(watched.held() >= 0 && watched.held() <= 1, "it holds " + watched.held());
        assertTrue(watched.mayHold() >= 0 && watched.mayHold() <= 1, "it may hold " + watched.mayHold());
    }
}
