// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import static dev.isotherm.guard.VirtualReads.MS;
import static dev.isotherm.guard.VirtualReads.SECOND;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Faults that come bit by bit, or were there before a coordinator first read, in virtual time. */
class SlowClimbTest {
    private static final int FAULT = 20;
    private static final int END = 100;
    private static final int BAD = 2;
    private static final int NOBODY = -1;

    /** The messages of a node are later by a fifth each second: in the end each read takes long, or none is quick. */
    @ParameterizedTest
    @CsvSource({"100, 1", "100, 2", "100, 3", "8, 1", "8, 2", "8, 3"})
    void messagesThatAreLaterEachSecond(int mostMillis, long seed) {
        VirtualReads cluster = new VirtualReads(300, seed);
        climbs(cluster, FAULT, MS / 5, mostMillis * MS, 1.2);
        isAvoidedUntilItIsWell(cluster, BAD);
    }

    /** All nodes' messages become late for half a minute; then one's still are. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aNodeThatGoesOnBeingSlowAfterAllWere(long seed) {
        VirtualReads cluster = new VirtualReads(300, seed);
        for (int second = 0; second < 30; second++) {
            cluster.runUntil((FAULT + second) * SECOND);
            long nanos = Math.min(100 * MS, (long) (MS / 5 * Math.pow(1.5, second)));
            cluster.nodes.forEach(node -> node.networkNanos = nanos);
        }
        cluster.runUntil((FAULT + 50) * SECOND);
        cluster.nodes.subList(0, BAD).forEach(node -> node.networkNanos = MS / 5);
        isAvoidedUntilItIsWell(cluster, BAD);
    }

    /** Each read of the node goes to its disk, which becomes slower bit by bit, its clients' own reads among them. */
    @ParameterizedTest
    @CsvSource({"1, false", "2, false", "3, false", "1, true", "2, true", "3, true"})
    void aDiskThatIsSlowerEachSecond(long seed, boolean selfFirst) {
        VirtualReads cluster = new VirtualReads(120, seed);
        cluster.selfFirst = selfFirst;
        cluster.nodes.forEach(node -> node.missRatio = 1);
        cluster.runUntil(FAULT * SECOND);
        for (int second = 1; second <= 20; second++) {
            cluster.nodes.get(BAD).setDisk((long) (8 * MS * Math.pow(1.2, second)));
            cluster.runUntil((FAULT + second) * SECOND);
        }
        isAvoidedUntilItIsWell(cluster, NOBODY);
    }

    /** The fault was there before any read. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aNodeThatIsSlowFromTheFirstReadOn(long seed) {
        VirtualReads cluster = new VirtualReads(300, seed);
        cluster.nodes.get(BAD).networkNanos = 100 * MS;
        isAvoidedUntilItIsWell(cluster, BAD);
    }

    private static void climbs(VirtualReads cluster, int from, long least, long most, double growth) {
        double nanos = least;
        for (int second = from; nanos < most; second++) {
            cluster.runUntil(second * SECOND);
            nanos = Math.min(most, nanos * growth);
            cluster.nodes.get(BAD).networkNanos = (long) nanos;
        }
    }

    private static void isAvoidedUntilItIsWell(VirtualReads cluster, int excluded) {
        cluster.runUntil(END * SECOND);
        cluster.nodes.get(BAD).networkNanos = MS / 5;
        cluster.nodes.get(BAD).setDisk(8 * MS);
        cluster.runUntil((END + 40) * SECOND);

        double well = cluster.millis(0.5, END + 20, END + 40, excluded);
        double tailWell = cluster.millis(0.97, END + 20, END + 40, excluded);
        double median = cluster.millis(0.5, END - 20, END, excluded);
        double tail = cluster.millis(0.97, END - 20, END, excluded);
        // Two nodes serve what three did.
        assertTrue(median <= 1.5 * well, median + " ms, " + well + " while well; " + cluster.log);
        assertTrue(tail <= 2 * tailWell, tail + " ms, " + tailWell + " while well; " + cluster.log);
        double share = cluster.servedSince(BAD, END + 15) / 25.0;
        double fair = cluster.reads.stream()
                        .filter(read -> read.begun >= (END + 15) * SECOND)
                        .count()
                * 2
                / 75.0;
        assertTrue(share >= 0.9 * fair, share + " reads/s of " + fair + " once it is well; " + cluster.log);
    }
}
