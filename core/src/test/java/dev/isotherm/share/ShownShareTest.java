// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.share;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import org.junit.jupiter.api.Test;

/** What operators see of a partition's share. */
class ShownShareTest {
    /** Whenever it is asked between two looks, and long before anything is refused. */
    @Test
    void theShareOfAPartitionIsItsPartOfTheThreadsTime() {
        FairShare shares = new FairShare(64, 1, new Unheard(), VirtualPool.unpaused(), 0);
        assertEquals(0, shares.shareOf(7, 1));
        assertEquals(0, shares.partOfServed(7));
        int threads = 8;
        long milli = 1_000_000;
        for (long now = milli; now <= 10_000 * milli; now += milli) {
            // 2 of 8 threads are busy with it.
            shares.served(7, 2 * milli);
            shares.served(8, milli / 2);
            if (now % FairShare.INTERVAL_NANOS == 0) {
                shares.look(0, threads, 2.5, now);
            }
            if (now > 3_000 * milli) {
                assertEquals(2.0 / threads, shares.shareOf(7, now), 0.005);
                assertEquals(0.5 / threads, shares.shareOf(8, now), 0.005);
                assertEquals(0, shares.shareOf(9, now));
                assertEquals(0.8, shares.partOfServed(7), 0.2);
                assertEquals(0.2, shares.partOfServed(8), 0.05);
                assertEquals(0, shares.partOfServed(9));
            }
        }
        assertFalse(shares.isSaturated());
    }
}
