// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import static dev.isotherm.guard.VirtualReads.SECOND;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Three replicas whose disks have nearly as much to do as they can, in virtual time: what the other two cannot serve is
 * not moved to them for long.
 */
class HighLoadTest {
    private static final int SECONDS = 60;
    /** Reads of a node's disk in a second. */
    private static final double DISK_READS = 250;

    private static final double MISS_RATIO = 1.0 / 3;

    @ParameterizedTest
    @CsvSource({
        "0.85, 2, true, 0", "0.85, 2, false, 1", "0.85, 2, false, 2", "0.9, 2, true, 0", "0.9, 2, true, 1",
        "0.9, 2, true, 2", "0.9, 2, true, 3", "0.9, 2, false, 1", "0.9, 1, false, 1", "0.95, 1, false, 1",
        "0.95, 1, false, 3", "0.95, 2, true, 1", "0.95, 2, true, 3", "0.95, 2, false, 0"
    })
    void readsTakeHardlyLongerThanWithoutTheGuard(double load, int contacts, boolean selfFirst, long seed) {
        VirtualReads with = cluster(load, contacts, selfFirst, seed);
        VirtualReads without = cluster(load, contacts, selfFirst, seed);
        without.guarded = false;
        with.runUntil(SECONDS * SECOND);
        without.runUntil(SECONDS * SECOND);
        double ratio = meanMillis(with) / meanMillis(without);
        assertTrue(ratio <= 2, () -> "times the mean without the guard: " + ratio + "; " + with.log);
    }

    private static VirtualReads cluster(double load, int contacts, boolean selfFirst, long seed) {
        double reads = load * VirtualReads.NODES * DISK_READS / MISS_RATIO / contacts;
        VirtualReads cluster = new VirtualReads(reads, seed);
        cluster.contacts = contacts;
        cluster.selfFirst = selfFirst;
        return cluster;
    }

    private static double meanMillis(VirtualReads cluster) {
        return cluster.reads.stream()
                .filter(read -> read.begun < (SECONDS - 5) * SECOND)
                .mapToDouble(VirtualReads.Read::millis)
                .average()
                .getAsDouble();
    }
}
