// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import static dev.isotherm.guard.VirtualReads.MS;
import static dev.isotherm.guard.VirtualReads.SECOND;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A coordinator whose own disk hangs, in virtual time: copies of reads try it, and no read of its clients. */
class HungOwnDiskTest {
    private static final int FAULT = 20;
    private static final int END = 80;
    private static final int BAD = 2;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void itsClientsDoNotWaitForItAfterTheFirstSeconds(long seed) {
        VirtualReads cluster = new VirtualReads(300, seed);
        cluster.selfFirst = true;
        cluster.runUntil(FAULT * SECOND);
        cluster.nodes.get(BAD).setDisk(Long.MAX_VALUE);
        cluster.runUntil(END * SECOND);
        cluster.nodes.get(BAD).setDisk(8 * MS);
        cluster.runUntil((END + 20) * SECOND);

        String waited = cluster.reads.stream()
                .filter(read -> read.coordinator == BAD
                        && read.begun >= (FAULT + 5) * SECOND
                        && read.begun < END * SECOND
                        && read.millis() > 1000)
                .map(read -> read.begun / SECOND + " s")
                .collect(Collectors.joining(", "));
        assertEquals("", waited, cluster.log::toString);
        double share = cluster.servedSince(BAD, END + 12) / 8.0;
        assertTrue(share >= 0.9 * 200, share + " reads/s of 200 once it is well; " + cluster.log);
    }
}
