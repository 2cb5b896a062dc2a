// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import static dev.isotherm.guard.VirtualReads.MS;
import static dev.isotherm.guard.VirtualReads.SECOND;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The guard under the faults that a replica can have: how soon reads are well again, and how soon the replica has its
 * share again. Without speculative retries, which would hide part of it.
 */
class GuardInVirtualTimeTest {
    private static final int FAULT = 20;
    private static final int END = 50;
    private static final int LAST = 70;
    private static final int NOBODY = -1;
    private static final int BAD = 2;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aSlowDisk(long seed) {
        VirtualReads cluster = new VirtualReads(300, seed);
        cluster.runUntil(FAULT * SECOND);
        cluster.nodes.get(BAD).setDisk(160 * MS);
        cluster.runUntil(END * SECOND);
        cluster.nodes.get(BAD).setDisk(8 * MS);
        cluster.runUntil(LAST * SECOND);

        isWellFrom(FAULT + 2, cluster, NOBODY);
        hasRecoveredFrom(FAULT + 2, END, cluster, NOBODY);
        hasItsShareFrom(END + 12, cluster);
    }

    /** As on a cluster where the coordinators send no message that could be copied, or copying fails. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aSlowDiskThatOnlyReadsThemselvesTry(long seed) {
        VirtualReads cluster = new VirtualReads(300, seed);
        cluster.copies = false;
        cluster.runUntil(FAULT * SECOND);
        cluster.nodes.get(BAD).setDisk(160 * MS);
        cluster.runUntil(END * SECOND);
        cluster.nodes.get(BAD).setDisk(8 * MS);
        cluster.runUntil(LAST * SECOND);

        isWellFrom(FAULT + 2, cluster, NOBODY);
        hasItsShareFrom(END + 15, cluster);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aDiskThatAnswersNothing(long seed) {
        VirtualReads cluster = new VirtualReads(300, seed);
        cluster.runUntil(FAULT * SECOND);
        cluster.nodes.get(BAD).setDisk(Long.MAX_VALUE);
        cluster.runUntil(END * SECOND);
        cluster.nodes.get(BAD).setDisk(8 * MS);
        cluster.runUntil(LAST * SECOND);

        isWellFrom(FAULT + 2, cluster, NOBODY);
        hasItsShareFrom(END + 12, cluster);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aProcessThatIsStopped(long seed) {
        VirtualReads cluster = new VirtualReads(300, seed);
        cluster.runUntil(FAULT * SECOND);
        cluster.nodes.get(BAD).frozen = true;
        cluster.withoutClients = BAD;
        cluster.runUntil((FAULT + 8) * SECOND);
        cluster.nodes.get(BAD).thaw();
        cluster.withoutClients = NOBODY;
        cluster.runUntil(END * SECOND);

        isWellFrom(FAULT + 1, cluster, BAD);
        hasRecoveredFrom(FAULT + 2, FAULT + 8, cluster, BAD);
        hasItsShareFrom(FAULT + 10, cluster);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aProcessThatPausesEachTwoSeconds(long seed) {
        VirtualReads cluster = new VirtualReads(300, seed);
        VirtualPauses.run(cluster, BAD, FAULT, END);
        cluster.runUntil(LAST * SECOND);

        isWellFrom(FAULT + 5, cluster, BAD);
        hasItsShareFrom(END + 12, cluster);
    }

    /** A quota of a tenth of a processor: the node runs for 10 ms of each 100. One run has few reads beyond a p99. */
    @Test
    void aProcessThatHardlyRuns() {
        List<VirtualReads> clusters = new ArrayList<>();
        for (int seed = 1; seed <= 9; seed++) {
            clusters.add(hardlyRuns(seed));
        }
        for (int[] window : windowsFrom(FAULT + 2)) {
            double[] tails = clusters.stream()
                    .mapToDouble(
                            each -> each.millis(0.99, window[0], window[1], BAD) / each.millis(0.99, 5, FAULT, BAD))
                    .sorted()
                    .toArray();
            assertTrue(tails[tails.length / 2] <= 2, "from " + window[0] + " s: " + Arrays.toString(tails));
        }
    }

    private static VirtualReads hardlyRuns(long seed) {
        VirtualReads cluster = new VirtualReads(300, seed);
        VirtualReads.Node bad = cluster.nodes.get(BAD);
        int servedBefore = 0;
        for (int period = 0; period < 10 * (END - FAULT); period++) {
            cluster.runUntil(FAULT * SECOND + period * 100 * MS);
            servedBefore = period == 50 ? bad.served : servedBefore;
            bad.frozen = true;
            cluster.runUntil(FAULT * SECOND + (period * 100 + 90) * MS);
            bad.thaw();
        }
        int servedFrom5s = bad.served - servedBefore;
        cluster.runUntil(LAST * SECOND);

        hasItsShareFrom(END + 12, cluster);
        // Of 5,000 that are its share, and 1,667 of its own clients.
        assertTrue(servedFrom5s < 100, servedFrom5s + " reads served; " + cluster.log);
        hasItsMedianFrom(FAULT + 2, cluster, BAD);
        return cluster;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void messagesThatAreLate(long seed) {
        VirtualReads cluster = new VirtualReads(300, seed);
        cluster.runUntil(FAULT * SECOND);
        cluster.nodes.get(BAD).networkNanos = 100 * MS;
        cluster.runUntil(END * SECOND);
        cluster.nodes.get(BAD).networkNanos = MS / 5;
        cluster.runUntil(LAST * SECOND);

        isWellFrom(FAULT + 2, cluster, BAD);
        hasItsShareFrom(END + 12, cluster);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void whereAllDisksAreSlowNothingIsWorseThanWithoutTheGuard(long seed) {
        double[] medians = new double[2];
        for (int guarded = 0; guarded < 2; guarded++) {
            VirtualReads cluster = new VirtualReads(60, seed);
            cluster.guarded = guarded == 1;
            cluster.runUntil(FAULT * SECOND);
            cluster.nodes.forEach(node -> node.setDisk(80 * MS));
            cluster.runUntil(END * SECOND);
            medians[guarded] = cluster.millis(0.5, FAULT + 5, END, NOBODY);
        }
        assertTrue(medians[1] <= 1.2 * medians[0], medians[1] + " ms with the guard, " + medians[0] + " without");
    }

    /** No healthy quorum is left: whichever way reads go, they are slow; afterwards they are well as soon. */
    @ParameterizedTest
    @CsvSource({"1, 1", "1, 2", "1, 3", "0, 1", "0, 2", "0, 3"})
    void whereNoQuorumIsWellNothingIsWorseThanWithoutTheGuard(int firstSlow, long seed) {
        VirtualReads[] clusters = new VirtualReads[2];
        for (int guarded = 0; guarded < 2; guarded++) {
            VirtualReads cluster = new VirtualReads(300, seed);
            clusters[guarded] = cluster;
            cluster.guarded = guarded == 1;
            cluster.runUntil(FAULT * SECOND);
            cluster.nodes.subList(firstSlow, 3).forEach(node -> node.setDisk(160 * MS));
            cluster.runUntil(END * SECOND);
            cluster.nodes.forEach(node -> node.setDisk(8 * MS));
            cluster.runUntil((LAST + 10) * SECOND);
        }
        for (int from = FAULT; from < LAST; from += 5) {
            double without = clusters[0].millis(0.5, from, from + 5, NOBODY);
            double with = clusters[1].millis(0.5, from, from + 5, NOBODY);
            assertTrue(with <= 1.2 * without, with + " ms at " + from + " s, " + without + " without the guard");
        }
        hasItsShareFrom(END + 15, clusters[1]);
    }

    /** A cold replica at its limit and a slow one: the cold one is the better second contact. */
    @Test
    void besideASlowReplicaAColdOneIsRead() {
        double[] tails = new double[15];
        for (int seed = 0; seed < tails.length; seed++) {
            VirtualReads cluster = new VirtualReads(300, seed + 1);
            cluster.runUntil(FAULT * SECOND);
            cluster.nodes.get(BAD).missRatio = 0.75;
            cluster.shares = new double[] {0.4, 0.4, 0.2};
            cluster.nodes.get(1).setDisk(160 * MS);
            cluster.runUntil(END * SECOND);

            tails[seed] = cluster.millis(0.99, FAULT + 5, END, NOBODY);
            double median = cluster.millis(0.5, FAULT + 5, END, NOBODY);
            assertTrue(median <= 30, median + " ms; " + cluster.log);
        }
        Arrays.sort(tails);
        assertTrue(tails[tails.length - 2] <= 150, "in all but one: " + Arrays.toString(tails));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void whileAllIsWellHardlyAReadIsMoved(long seed) {
        VirtualReads cluster = new VirtualReads(300, seed);
        cluster.runUntil(200 * SECOND);

        assertTrue(cluster.moved < cluster.reads.size() / 1000, cluster.moved + " moved; " + cluster.log);
    }

    /** After the first seconds copies of reads meet the pauses, and hardly a read does. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aProcessThatPausesForAMinuteMeetsHardlyARead(long seed) {
        VirtualReads cluster = new VirtualReads(300, seed);
        VirtualPauses.run(cluster, BAD, FAULT, FAULT + 60);
        cluster.runUntil((FAULT + 80) * SECOND);

        long met = cluster.reads.stream()
                .filter(read -> read.begun >= (FAULT + 10) * SECOND && read.begun < (FAULT + 60) * SECOND)
                .filter(read -> read.coordinator != BAD && read.millis() > 100)
                .count();
        assertTrue(met <= 10, met + " of 10,000 reads, 20 of a pause; " + cluster.log);
        hasItsShareFrom(FAULT + 72, cluster);
    }

    /** Each node pauses for 60 ms every ten seconds or so, as for a collection of garbage. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void shortPausesMoveFewReads(long seed) {
        VirtualReads cluster = new VirtualReads(300, seed);
        cluster.nodes.forEach(node -> node.missRatio = 0);
        for (int t = 10; t < 200; t += 10) {
            for (VirtualReads.Node node : cluster.nodes) {
                cluster.runUntil((t + 3 * node.number) * SECOND + cluster.random.nextInt(1000) * MS);
                node.frozen = true;
                cluster.runUntil(cluster.now() + 60 * MS);
                node.thaw();
            }
        }

        assertTrue(
                cluster.moved <= 0.01 * cluster.reads.size(),
                cluster.moved + " of " + cluster.reads.size() + " moved; " + cluster.log);
    }

    /** A node whose every read goes to the disk, while the others' never do, warms by the share that its heat gives. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aColdReplicaKeepsItsShare(long seed) {
        int[] served = new int[2];
        for (int guarded = 0; guarded < 2; guarded++) {
            VirtualReads cluster = new VirtualReads(300, seed);
            cluster.guarded = guarded == 1;
            cluster.nodes.forEach(node -> node.missRatio = 0);
            cluster.runUntil(FAULT * SECOND);
            // A restart: nothing that was seen of the node counts any more.
            cluster.nodes.forEach(node -> node.guard.restarted(BAD));
            cluster.nodes.get(BAD).missRatio = 1;
            cluster.shares = new double[] {20.0 / 41, 20.0 / 41, 1.0 / 41};
            int before = cluster.nodes.get(BAD).served;
            cluster.runUntil(END * SECOND);
            served[guarded] = cluster.nodes.get(BAD).served - before;
        }
        assertTrue(served[1] >= 0.9 * served[0], served[1] + " reads with the guard, " + served[0] + " without");
    }

    @Test
    void aSilentReplicaIsTriedAtABoundedRate() {
        VirtualReads cluster = new VirtualReads(300, 1);
        cluster.runUntil(FAULT * SECOND);
        VirtualReads.Node bad = cluster.nodes.get(BAD);
        bad.frozen = true;
        cluster.withoutClients = BAD;
        cluster.runUntil((FAULT + 10) * SECOND);
        long sentBefore = cluster.sentTo[BAD];
        cluster.runUntil((FAULT + 110) * SECOND);

        // Two coordinators, one copy of a read each 4 s: 50, and never none in 5 s.
        long tried = cluster.sentTo[BAD] - sentBefore;
        assertTrue(tried >= 40 && tried <= 52, tried + " trials");
        assertEquals(
                2,
                cluster.nodes.stream()
                        .filter(n -> n.guard.avoided().rankOf(BAD, false) > 0)
                        .count());
    }

    private static int[][] windowsFrom(int from) {
        return new int[][] {
            {from, Math.max(from + 3, FAULT + 5)}, {Math.max(from, FAULT + 5), FAULT + 15}, {FAULT + 15, END}
        };
    }

    private static void isWellFrom(int from, VirtualReads cluster, int excluded) {
        double well = cluster.millis(0.99, 5, FAULT, excluded);
        for (int[] window : windowsFrom(from)) {
            double tail = cluster.millis(0.99, window[0], window[1], excluded);
            assertTrue(tail <= 2 * well, tail + " ms in " + window[0] + " s, " + well + " while well; " + cluster.log);
        }
        hasItsMedianFrom(from, cluster, excluded);
    }

    private static void hasItsMedianFrom(int from, VirtualReads cluster, int excluded) {
        double well = cluster.millis(0.5, 5, FAULT, excluded);
        for (int[] window : windowsFrom(from)) {
            double median = cluster.millis(0.5, window[0], window[1], excluded);
            assertTrue(median <= 1.2 * well, median + " ms in " + window[0] + " s, " + well + " while well");
        }
    }

    /** The p99 of each two seconds, begun every half second, is below twice the p99 while well. */
    private static void hasRecoveredFrom(int from, int to, VirtualReads cluster, int excluded) {
        double well = cluster.millis(0.99, 5, FAULT, excluded);
        for (double begin = from; begin + 2 <= to; begin += 0.5) {
            double tail = cluster.millis(0.99, begin, begin + 2, excluded);
            assertTrue(tail < 2 * well, tail + " ms from " + begin + " s, " + well + " while well; " + cluster.log);
        }
    }

    /** The replica serves at least nine tenths of its share until the end. */
    private static void hasItsShareFrom(int from, VirtualReads cluster) {
        double seconds = cluster.now() / (double) SECOND - from;
        double share = cluster.servedSince(BAD, from) / seconds;
        assertTrue(share >= 0.9 * 200, share + " reads/s of 200 from " + from + " s on; " + cluster.log);
    }
}
