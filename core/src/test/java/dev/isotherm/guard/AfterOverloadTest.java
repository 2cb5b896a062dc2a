// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import static dev.isotherm.guard.VirtualReads.MS;
import static dev.isotherm.guard.VirtualReads.SECOND;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** All nodes were slow for a while; who is late after that shows as soon as ever, in virtual time. */
class AfterOverloadTest {
    private static final int OVERLOAD = 60;
    private static final int PAUSES = 110;
    private static final int END = 140;
    private static final int[][] WINDOWS = {{PAUSES + 5, PAUSES + 15}, {PAUSES + 15, END}};
    private static final int BAD = 2;
    private static final int SEEDS = 9;

    @Test
    void aProcessThatPausesEachTwoSeconds() {
        double[][] tails = new double[WINDOWS.length][SEEDS];
        for (int seed = 0; seed < SEEDS; seed++) {
            VirtualReads cluster = paused(seed);
            double well = cluster.millis(0.99, 5, OVERLOAD, BAD);
            for (int i = 0; i < WINDOWS.length; i++) {
                tails[i][seed] = cluster.millis(0.99, WINDOWS[i][0], WINDOWS[i][1], BAD) / well;
            }
            double share = cluster.servedSince(BAD, END + 12) / 8.0;
            assertTrue(share >= 0.9 * 200, share + " reads/s of 200 once it is well; " + cluster.log);
        }
        for (double[] ofWindow : tails) {
            Arrays.sort(ofWindow);
            assertTrue(ofWindow[SEEDS / 2] <= 2, "times the p99 while well: " + Arrays.toString(ofWindow));
        }
    }

    /** Two in three reads hit a cache and stay quick; p99 rises to 0.1 s and to seconds. */
    @ParameterizedTest
    @ValueSource(ints = {20, 24, 27, 30, 35})
    void aProcessThatPausesTwentySecondsAfterDisksHadMoreToDoThanTheyCan(int overloadMillis) {
        double[] times = new double[SEEDS];
        for (int seed = 0; seed < SEEDS; seed++) {
            VirtualReads cluster = new VirtualReads(300, seed);
            cluster.nodes.forEach(node -> node.setDisk(10 * MS));
            cluster.runUntil(40 * SECOND);
            cluster.nodes.forEach(node -> node.setDisk(overloadMillis * MS));
            cluster.runUntil(50 * SECOND);
            cluster.nodes.forEach(node -> node.setDisk(10 * MS));
            VirtualPauses.run(cluster, BAD, 70, 100);
            times[seed] = cluster.millis(0.99, 75, 100, BAD) / cluster.millis(0.99, 5, 40, BAD);
        }
        Arrays.sort(times);
        assertTrue(times[SEEDS / 2] <= 2, "times the p99 while well: " + Arrays.toString(times));
        assertTrue(times[SEEDS - 1] <= 3, "times the p99 while well: " + Arrays.toString(times));
    }

    private static VirtualReads paused(long seed) {
        VirtualReads cluster = new VirtualReads(300, seed);
        cluster.runUntil(OVERLOAD * SECOND);
        cluster.nodes.forEach(node -> node.setDisk(60 * MS));
        cluster.runUntil((OVERLOAD + 6) * SECOND);
        cluster.nodes.forEach(node -> node.setDisk(8 * MS));
        VirtualPauses.run(cluster, BAD, PAUSES, END);
        cluster.runUntil((END + 20) * SECOND);
        return cluster;
    }
}
