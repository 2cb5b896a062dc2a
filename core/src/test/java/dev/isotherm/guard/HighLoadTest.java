// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import static dev.isotherm.guard.VirtualReads.SECOND;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Three replicas whose disks have nearly as much to do as they can, in virtual time: what the other two cannot serve is
 * not moved to them for long.
 */
class HighLoadTest {
    private static final int SECONDS = 60;
    private static final int SEEDS = 30;
    /** Reads of a node's disk in a second. */
    private static final double DISK_READS = 250;

    private static final double MISS_RATIO = 1.0 / 3;

    @ParameterizedTest
    @CsvSource({
        "0.85, 2, true, 30",
        "0.85, 2, false, 30",
        "0.9, 2, true, 27",
        "0.9, 2, false, 29",
        "0.9, 1, false, 27",
        "0.95, 2, true, 24"
    })
    void readsTakeHardlyLongerThanWithoutTheGuard(double load, int contacts, boolean selfFirst, int most) {
        double[] ratios = new double[SEEDS];
        for (int seed = 0; seed < SEEDS; seed++) {
            double without = meanMillis(load, contacts, selfFirst, false, seed);
            ratios[seed] = meanMillis(load, contacts, selfFirst, true, seed) / without;
        }
        Arrays.sort(ratios);
        String sorted = "times the mean without the guard: " + Arrays.toString(ratios);
        assertTrue(ratios[SEEDS / 2] <= 1.2, sorted);
        assertTrue(ratios[most - 1] <= 2, sorted);
    }

    private static double meanMillis(double load, int contacts, boolean selfFirst, boolean guarded, long seed) {
        double reads = load * VirtualReads.NODES * DISK_READS / MISS_RATIO / contacts;
        VirtualReads cluster = new VirtualReads(reads, seed);
        cluster.contacts = contacts;
        cluster.selfFirst = selfFirst;
        cluster.guarded = guarded;
        cluster.runUntil(SECONDS * SECOND);
        return cluster.reads.stream()
                .filter(read -> read.begun < (SECONDS - 5) * SECOND)
                .mapToDouble(VirtualReads.Read::millis)
                .average()
                .getAsDouble();
    }
}
