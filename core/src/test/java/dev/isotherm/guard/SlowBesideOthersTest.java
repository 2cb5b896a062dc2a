// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import static dev.isotherm.guard.VirtualReads.MS;
import static dev.isotherm.guard.VirtualReads.SECOND;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whether a replica is slow is a question of where its reads would go instead, in virtual time. */
class SlowBesideOthersTest {
    private static final int FAULT = 20;
    private static final int SHOWS = 60;
    private static final int WATCHED = 60;
    private static final int NOBODY = -1;
    private static final int BAD = 2;

    /** Once it shows that each replica has become as slow as the others none of them is avoided for what it was. */
    @ParameterizedTest
    @CsvSource({
        "1, 1, false, 1",
        "2, 1, false, 1",
        "1, 2, false, 1",
        "2, 2, true, 1",
        "1, 1, false, 0.33",
        "2, 1, false, 0.33",
        "1, 2, false, 0.33",
        "2, 2, false, 0.33",
        "1, 2, true, 0.33",
        "2, 2, true, 0.33",
        "1, 1, false, 0.1",
        "2, 2, false, 0.1",
        "1, 2, true, 0.1",
        "1, 1, false, 0.05",
        "2, 2, false, 0.05",
        "1, 2, true, 0.05"
    })
    void whereAllDisksAreSlowEachReplicaSoonHasItsShare(long seed, int contacts, boolean selfFirst, double missRatio) {
        int reads = (int) (66 / missRatio / contacts);
        VirtualReads cluster = new VirtualReads(reads, seed);
        cluster.contacts = contacts;
        cluster.selfFirst = selfFirst;
        cluster.nodes.forEach(node -> node.missRatio = missRatio);
        cluster.nodes.forEach(node -> node.setDisk(MS / 5));
        cluster.runUntil(FAULT * SECOND);
        cluster.nodes.forEach(node -> node.setDisk(60 * MS));
        cluster.runUntil((FAULT + SHOWS) * SECOND);
        long movedBefore = cluster.moved;
        cluster.runUntil((FAULT + SHOWS + WATCHED) * SECOND);

        double moved = (cluster.moved - movedBefore) / (double) (WATCHED * reads);
        // Bursts at disks that few reads need are late beside what is usual, also where all disks were always slow.
        double most = missRatio < 0.3 ? 0.05 : 0.001;
        assertTrue(moved <= most, moved + " of the reads moved; " + cluster.log);
        for (int node = 0; node < VirtualReads.NODES; node++) {
            double usual = WATCHED * reads * contacts / (double) VirtualReads.NODES;
            double share = cluster.servedSince(node, FAULT + SHOWS) / usual;
            assertTrue(share >= 0.9 && share <= 1.1, node + " served " + share + " of its share; " + cluster.log);
        }
    }

    /** Two slow replicas do not excuse each other while a third one is well. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void whereOneReplicaIsWellReadsOfOneGoThere(long seed) {
        VirtualReads cluster = new VirtualReads(150, seed);
        cluster.contacts = 1;
        cluster.runUntil(FAULT * SECOND);
        cluster.nodes.subList(1, 3).forEach(node -> node.setDisk(160 * MS));
        cluster.runUntil((FAULT + WATCHED) * SECOND);

        long slow = cluster.servedSince(1, FAULT + 5) + cluster.servedSince(2, FAULT + 5);
        long well = cluster.servedSince(0, FAULT + 5);
        assertTrue(slow <= 0.05 * well, slow + " served by slow replicas, " + well + " by the other; " + cluster.log);
        double tail = cluster.millis(0.99, FAULT + 5, FAULT + WATCHED - 5, NOBODY);
        assertTrue(tail <= 60, tail + " ms; " + cluster.log);
    }

    /** Those that bear its load take longer than usual; that does not make a much slower one a help. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void besideReplicasUnderMoreLoadASlowerOneIsStillAvoided(long seed) {
        VirtualReads cluster = new VirtualReads(210, seed);
        cluster.nodes.forEach(node -> node.missRatio = 1);
        cluster.runUntil(FAULT * SECOND);
        cluster.nodes.get(BAD).setDisk(64 * MS);
        cluster.runUntil((FAULT + 5 + WATCHED) * SECOND);

        long slow = cluster.servedSince(BAD, FAULT + 5);
        assertTrue(slow <= 0.05 * 210 * WATCHED, slow + " served by the slow replica; " + cluster.log);
        double tail = cluster.millis(0.99, FAULT + 5, FAULT + WATCHED, NOBODY);
        assertTrue(tail <= 130, tail + " ms; " + cluster.log);
    }

    /** Clients that read at ONE where their partitions are: nothing was heard of others for long. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aCoordinatorThatHearsOfNobodyFindsItsOwnDiskSlow(long seed) {
        VirtualReads cluster = new VirtualReads(300, seed);
        cluster.selfFirst = true;
        cluster.runUntil(FAULT * SECOND);
        cluster.contacts = 1;
        cluster.runUntil((FAULT + SHOWS) * SECOND);
        cluster.nodes.get(BAD).setDisk(160 * MS);
        cluster.runUntil((FAULT + SHOWS + WATCHED) * SECOND);

        double tail = cluster.millis(0.99, FAULT + SHOWS + 5, FAULT + SHOWS + WATCHED - 5, NOBODY);
        assertTrue(tail <= 100, tail + " ms; " + cluster.log);
    }
}
