// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import static dev.isotherm.guard.VirtualReads.MS;
import static dev.isotherm.guard.VirtualReads.SECOND;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** All replicas begin with cold caches and have more to read than their disks can, in virtual time. */
class AllColdTest {
    /** Of all replicas together. */
    private static final int MOST_AVOIDANCES = 2;

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 2, 3, 4, 5, 6, 7, 8})
    void readsStayWhereTheyAreWhileAllHaveMoreToDoThanTheyCan(long seed) {
        VirtualReads cluster = new VirtualReads(300, seed);
        cluster.selfFirst = true;
        cluster.nodes.forEach(node -> node.setDisk(13 * MS));
        for (int second = 0; second < 10; second++) {
            double missRatio = Math.max(1 / 3.0, 1 - 0.08 * second);
            cluster.nodes.forEach(node -> node.missRatio = missRatio);
            cluster.runUntil((second + 1) * SECOND);
        }
        cluster.runUntil(40 * SECOND);
        long begun =
                cluster.log.stream().filter(line -> line.contains(" avoids ")).count();
        assertTrue(begun <= MOST_AVOIDANCES, cluster.log::toString);
        assertTrue(cluster.millis(0.99, 2, 6, -1) > 200, "the disks can serve all");
    }
}
