// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.balance;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RingTest {
    @ParameterizedTest
    @CsvSource({"3, 3, 0", "12, 3, 0", "99, 3, 0", "12, 5, 0.25", "12, 9, 0.25"})
    void spreadsPartitionsEvenlyOverDifferentNodes(int nodes, int factor, double off) {
        int perNode = 4800 * factor / 3;
        Ring ring = new Ring(nodes, 1, 16, factor, perNode, new SplittableRandom(5));
        boolean[][] taken = new boolean[nodes][];
        for (int node = 0; node < nodes; node++) {
            taken[node] = new boolean[ring.rowsOf(node)];
            assertEquals(perNode, ring.rowsOf(node), off * perNode, "rows of node " + node);
        }
        for (int partition = 0; partition < ring.partitions(); partition++) {
            int[] replicas = ring.replicasOf(ring.rangeOf(partition));
            assertEquals(factor, Arrays.stream(replicas).distinct().count());
            for (int place = 0; place < factor; place++) {
                int row = ring.rowOf(partition, place);
                assertTrue(!taken[replicas[place]][row], "each row is of one partition");
                taken[replicas[place]][row] = true;
            }
            if (factor == 3) {
                assertEquals(
                        3,
                        Arrays.stream(replicas).map(node -> node % 3).distinct().count(),
                        "racks");
            }
        }
    }

    /** A replica too many in one datacenter, or two in one rack, would be read more than its share. */
    @ParameterizedTest
    @CsvSource({"12", "24"})
    void everyDatacenterHasItsReplicasInItsRacks(int nodes) {
        Ring ring = new Ring(nodes, 2, 16, 3, 4800, new SplittableRandom(5));
        for (int node = 0; node < nodes; node++) {
            assertEquals(4800, ring.rowsOf(node), "rows of node " + node);
        }
        int half = nodes / 2;
        for (int range = 0; range < ring.ranges(); range++) {
            int[] replicas = ring.replicasOf(range);
            assertEquals(6, Arrays.stream(replicas).distinct().count());
            for (int datacenter = 0; datacenter < 2; datacenter++) {
                int first = datacenter * half;
                int[] racks = Arrays.stream(replicas)
                        .filter(node -> node >= first && node < first + half)
                        .map(node -> (node - first) % 3)
                        .sorted()
                        .toArray();
                assertArrayEquals(new int[] {0, 1, 2}, racks, "racks in datacenter " + datacenter);
            }
        }
    }
}
