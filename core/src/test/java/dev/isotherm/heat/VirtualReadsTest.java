// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The shares that three nodes arrive at by what they measure of themselves, in virtual time. */
class VirtualReadsTest {
    private static final int NODES = VirtualReads.NODES;
    private static final BalanceSettings SETTINGS = BalanceSettings.defaults();

    private static VirtualReads reads(Heat.Kind kind) {
        return new VirtualReads(kind, SETTINGS, 5);
    }

    private static void assertEven(VirtualReads cluster, String when) {
        for (int window = 0; window < 24; window++) {
            long[] reads = cluster.run(5);
            double mean = Arrays.stream(reads).average().getAsDouble();
            for (long of : reads) {
                assertEquals(mean, of, 0.1 * mean, () -> when + ": " + Arrays.toString(reads));
            }
        }
    }

    private static double share(VirtualReads cluster, int node, double seconds) {
        long[] reads = cluster.run(seconds);
        return reads[node] / (double) Arrays.stream(reads).sum();
    }

    @ParameterizedTest
    @EnumSource(Heat.Kind.class)
    void equallyWarmNodesServeEquallyMuch(Heat.Kind kind) {
        VirtualReads cluster = reads(kind);
        cluster.run(20);
        assertEven(cluster, "a third of the reads misses, the disks are busy for 37 %");
    }

    @ParameterizedTest
    @EnumSource(Heat.Kind.class)
    void nodesThatMissNothingServeEquallyMuch(Heat.Kind kind) {
        VirtualReads cluster = reads(kind);
        cluster.misses = new double[NODES];
        cluster.run(20);
        assertEven(cluster, "nothing misses");
    }

    @ParameterizedTest
    @EnumSource(Heat.Kind.class)
    void clientsElsewhereDoNotMakeThemUneven(Heat.Kind kind) {
        VirtualReads cluster = reads(kind);
        cluster.requests = new double[] {150, 150, 0};
        for (int node = 0; node < NODES; node++) {
            cluster.told[node] = RequestRate.perSecond(cluster.requests[node]);
        }
        cluster.run(20);
        assertEven(cluster, "no client uses the third node");
    }

    @ParameterizedTest
    @EnumSource(Heat.Kind.class)
    void pausesDoNotMakeThemUneven(Heat.Kind kind) {
        VirtualReads cluster = reads(kind);
        cluster.pauseEvery = 10_000_000_000L;
        cluster.pauseLasts = 200_000_000L;
        cluster.run(20);
        assertEven(cluster, "each node pauses for 0.2 s each 10 s");
    }

    /** Not by luck: many clusters, half of them with clients elsewhere and pauses, in the minutes after their start. */
    @ParameterizedTest
    @EnumSource(Heat.Kind.class)
    void hardlyAnyOfManyWindowsIsUneven(Heat.Kind kind) {
        int uneven = 0;
        for (int seed = 0; seed < 40; seed++) {
            VirtualReads cluster = new VirtualReads(kind, SETTINGS, seed);
            if (seed % 2 == 1) {
                cluster.requests = new double[] {150, 150, 0};
                for (int node = 0; node < NODES; node++) {
                    cluster.told[node] = RequestRate.perSecond(cluster.requests[node]);
                }
                cluster.pauseEvery = 10_000_000_000L;
                cluster.pauseLasts = 200_000_000L;
            }
            cluster.run(20);
            for (int window = 0; window < 24; window++) {
                long[] reads = cluster.run(5);
                double mean = Arrays.stream(reads).average().getAsDouble();
                uneven += Arrays.stream(reads).anyMatch(of -> Math.abs(of / mean - 1) > 0.1) ? 1 : 0;
            }
        }
        String windows = uneven + " of 960 windows of 5 s with a node that is a tenth off";
        System.out.println(kind + ": " + windows);
        assertTrue(uneven <= 3, windows);
    }

    @ParameterizedTest
    @EnumSource(
            value = Heat.Kind.class,
            names = {"READ_TIME", "COST"})
    void aDiskThatBecomesTwentyTimesSlowerIsSparedAndComesBack(Heat.Kind kind) {
        VirtualReads cluster = reads(kind);
        cluster.run(30);
        cluster.service[2] *= 20;
        cluster.run(20);
        double slow = share(cluster, 2, 20);
        assertTrue(slow < 0.1, () -> "its share while it is slow is " + slow);
        assertTrue(slow > 0.01, () -> "its share while it is slow is " + slow + ": starved");
        cluster.service[2] /= 20;
        cluster.run(40);
        double healed = share(cluster, 2, 20);
        assertEquals(1 / 3.0, healed, 0.1 / 3, "its share after it healed");
    }

    /** What a miss takes is the service time: neither its wait in the queue nor the load decides the share. */
    @Test
    void aHalfSpeedDiskGetsHalfAtAnyLoad() {
        for (double perNode : new double[] {20, 60, 120}) {
            VirtualReads cluster = reads(Heat.Kind.COST);
            cluster.requests = new double[] {perNode, perNode, perNode};
            cluster.service[2] *= 2;
            cluster.run(30);
            double lowest = 1;
            double highest = 0;
            for (int window = 0; window < 10; window++) {
                double share = share(cluster, 2, 1000 / perNode);
                lowest = Math.min(lowest, share);
                highest = Math.max(highest, share);
            }
            String shares = perNode + " requests/s: " + lowest + " to " + highest;
            assertTrue(lowest > 0.17 && highest < 0.23, shares);
        }
    }

    @Test
    void aNodeThatMissesTwiceAsOftenGetsHalf() {
        VirtualReads cluster = reads(Heat.Kind.COST);
        cluster.misses[2] *= 2;
        cluster.run(30);
        assertEquals(0.2, share(cluster, 2, 60), 0.02);
    }
}
