// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Promised: in the steady state at most one plan is built for 100 reads, and plans keep within their bytes. */
class PlanRebuildsTest {
    private static final long MOST_BYTES = 32 << 20;
    private static final int MEASURED_SECONDS = 300;

    /** With few reads it takes longer until what is told is exact enough to stay. */
    @ParameterizedTest
    @CsvSource({
        "3, 3, 300, 300",
        "12, 3, 300, 300",
        "99, 3, 300, 300",
        "999, 3, 100, 300",
        "12, 5, 300, 600",
        "12, 9, 300, 600",
        "3, 3, 10, 3600",
        "12, 3, 10, 3600",
        "99, 3, 10, 3600"
    })
    void heatsThatTrembleHardlyOutdateAPlan(int size, int replicas, double readsPerSecond, int settling) {
        measure(size, replicas, readsPerSecond, Placement.LOCAL, settling);
    }

    @ParameterizedTest
    @CsvSource({"12, 3, 300, 300", "12, 9, 300, 600", "12, 3, 10, 3600"})
    void norDoTheyUnderAffinity(int size, int replicas, double readsPerSecond, int settling) {
        measure(size, replicas, readsPerSecond, Placement.AFFINITY, settling);
    }

    private static void measure(int size, int replicas, double readsPerSecond, Placement placement, int settling) {
        TremblingCluster cluster = new TremblingCluster(size, replicas, readsPerSecond, placement, MOST_BYTES, 11);
        cluster.run(settling);
        cluster.run(MEASURED_SECONDS);
        System.out.printf(
                "%d nodes, RF %d, %.0f reads/s: %d groups, %.2f changes/s, %.4f rebuilds a read, %d bytes a plan%n",
                size,
                replicas,
                readsPerSecond,
                cluster.groups(),
                (double) cluster.changes / MEASURED_SECONDS,
                (double) cluster.built / cluster.reads,
                cluster.plans.bytes() / cluster.plans.size());
        assertTrue(cluster.built <= cluster.reads / 100, cluster.built + " plans for " + cluster.reads + " reads");
        assertTrue(cluster.mostOff() < 0.25, "a node tells a miss ratio that is off by " + cluster.mostOff());
        assertTrue(cluster.plans.bytes() <= MOST_BYTES, cluster.plans.bytes() + " bytes");
    }

    /**
     * Where all plans find no room, those that do are used again and again: of reads that fall on all groups alike a
     * little less than room is for find a plan.
     */
    @ParameterizedTest
    @CsvSource({"12, 9, 200000, 0.25", "99, 3, 5000, 0.3"})
    void withoutRoomForAllPlansThoseThatFindItAreUsedAgain(int size, int replicas, long few, double least) {
        TremblingCluster cluster = new TremblingCluster(size, replicas, 100, Placement.LOCAL, few, 11);
        cluster.run(300);
        long reads = 0;
        long built = 0;
        for (int second = 0; second < 30; second++) {
            cluster.run(1);
            reads += cluster.reads;
            built += cluster.built;
            assertTrue(cluster.plans.bytes() <= few, cluster.plans.bytes() + " bytes");
        }
        assertTrue(cluster.plans.size() < 0.5 * cluster.groups(), cluster.plans.size() + " plans find room");
        assertTrue(built < (1 - least) * reads, built + " plans for " + reads + " reads");
    }
}
