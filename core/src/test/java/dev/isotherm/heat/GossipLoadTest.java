// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Base64;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GossipLoadTest {
    private static final long SECOND = 1_000_000_000L;
    /** A longer message goes on the connection of large ones: Cassandra's OutboundConnections. */
    private static final int LARGE = 1 << 16;

    @ParameterizedTest
    @CsvSource({"1, 255", "23, 255", "24, 250", "100, 60", "187, 32", "188, 32", "100000, 32"})
    void aLargerClusterHasFewerTablesInAReport(int nodes, int tables) {
        assertEquals(tables, GossipLoad.mostTables(nodes));
    }

    @Test
    void aClusterHasNodes() {
        assertThrows(IllegalArgumentException.class, () -> GossipLoad.mostTables(0));
    }

    @Test
    void fewNodesOrTablesMayTellAtTheirPace() {
        assertTrue(GossipLoad.leastBetweenNanos(3, 255) < SECOND);
        assertTrue(GossipLoad.leastBetweenNanos(12, 90) < SECOND);
        assertTrue(GossipLoad.leastBetweenNanos(999, 1) < SECOND);
        assertEquals(5 * SECOND, GossipLoad.leastBetweenNanos(100, 60));
        assertEquals(30 * SECOND, GossipLoad.leastBetweenNanos(10_000, 32));
        assertEquals(26.7 * SECOND, GossipLoad.leastBetweenNanos(1_000, 32), 0.1 * SECOND);
    }

    private static int bytesOf(int tables) {
        HeatReport.Builder builder = new HeatReport.Builder();
        for (int table = 0; table < tables; table++) {
            builder.add(7, table, Heat.missRatio(0.5), RequestRate.perSecond(100), null);
        }
        return Base64.getEncoder().encodeToString(builder.encode()).length();
    }

    /**
     * Each node has something to tell at any time, as where all rates rise, and exchanges with one random node a
     * second.
     */
    @ParameterizedTest
    @ValueSource(ints = {24, 50, 100, 200, 500, 1_000})
    void hardlyAnyMessageIsLarge(int nodes) {
        int tables = GossipLoad.mostTables(nodes);
        int bytes = bytesOf(tables);
        double between = Math.max(1, GossipLoad.leastBetweenNanos(nodes, tables) / (double) SECOND);
        SplittableRandom random = new SplittableRandom(nodes);
        int[][] known = new int[nodes][nodes];
        double[] nextAt = random.doubles(nodes, 0, between).toArray();
        int seconds = 60;
        int messages = 0;
        int large = 0;
        for (int second = 0; second < seconds; second++) {
            for (int node = 0; node < nodes; node++) {
                while (nextAt[node] <= second) {
                    known[node][node]++;
                    nextAt[node] += between;
                }
                int[] own = known[node];
                int[] others = known[random.nextInt(nodes)];
                int sent = 0;
                int received = 0;
                for (int about = 0; about < nodes; about++) {
                    sent += own[about] > others[about] ? 1 : 0;
                    received += own[about] < others[about] ? 1 : 0;
                    own[about] = others[about] = Math.max(own[about], others[about]);
                }
                if (second >= seconds / 2) {
                    messages += 2;
                    large += (int) Arrays.stream(new int[] {sent, received})
                            .filter(states -> states * bytes >= LARGE)
                            .count();
                }
            }
        }
        assertTrue(large <= messages / 100, large + " of " + messages + " messages are large");
    }
}
