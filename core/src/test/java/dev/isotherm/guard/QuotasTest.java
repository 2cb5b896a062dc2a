// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import static dev.isotherm.guard.VirtualReads.MS;
import static dev.isotherm.guard.VirtualReads.NODES;
import static dev.isotherm.guard.VirtualReads.SECOND;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Nodes whose processes run for a part of each 100 ms, as under a quota of the processor that they use up. The kernel
 * grants each its quota at instants of its own: the nodes' pauses lie anywhere to each other.
 */
class QuotasTest {
    private static final int BEGIN = 5;
    private static final int PERIOD_MILLIS = 100;

    /** Reads of three nodes, and for how long each of them avoided itself. */
    private static final class Throttled {
        final VirtualReads cluster;
        final int[] runMillis = {PERIOD_MILLIS, PERIOD_MILLIS, PERIOD_MILLIS};
        private final int[] selfAvoided = new int[NODES];
        private int looked;

        Throttled(double readsPerSecond, long seed) {
            cluster = new VirtualReads(readsPerSecond, seed);
        }

        /** Begins the quotas' periods, each so long after the beginning. */
        void begin(int... phases) {
            for (int node = 0; node < NODES; node++) {
                int number = node;
                cluster.after(BEGIN * SECOND + phases[node] * MS, () -> period(cluster.nodes.get(number)));
            }
            cluster.after(BEGIN * SECOND, this::look);
        }

        private void period(VirtualReads.Node node) {
            int runs = runMillis[node.number];
            if (runs < PERIOD_MILLIS) {
                cluster.after(runs * MS, () -> node.frozen = true);
                cluster.after(PERIOD_MILLIS * MS, node::thaw);
            }
            cluster.after(PERIOD_MILLIS * MS, () -> period(node));
        }

        private void look() {
            looked++;
            for (VirtualReads.Node node : cluster.nodes) {
                selfAvoided[node.number] += node.guard.avoided().rankOf(node.number, false) > 0 ? 1 : 0;
            }
            cluster.after(ReadGuard.LOOK_NANOS, this::look);
        }

        /** Runs until an instant; returns the part of the time for which each node avoided itself meanwhile. */
        double[] selfAvoidedUntil(int second) {
            looked = 0;
            Arrays.fill(selfAvoided, 0);
            cluster.runUntil(second * SECOND);
            double[] parts = new double[NODES];
            for (int node = 0; node < NODES; node++) {
                parts[node] = (double) selfAvoided[node] / looked;
            }
            return parts;
        }
    }

    private static void assertRarely(double[] parts, Throttled throttled) {
        for (double part : parts) {
            assertTrue(part <= 0.05, () -> Arrays.toString(parts) + " of the time; " + throttled.cluster.log);
        }
    }

    /** From quotas that hardly let them run to such at the edge of starvation, which some have and some just not. */
    @Property(tries = 15, seed = "5", edgeCases = EdgeCasesMode.NONE)
    void underEqualQuotasNoNodeAvoidsItself(
            @ForAll @IntRange(min = 10, max = 60) int runMillis,
            @ForAll @IntRange(max = 99) int second,
            @ForAll @IntRange(max = 99) int third,
            @ForAll boolean selfFirst,
            @ForAll @LongRange(min = 1, max = 1_000_000) long seed) {
        Throttled throttled = new Throttled(120, seed);
        throttled.cluster.selfFirst = selfFirst;
        Arrays.fill(throttled.runMillis, runMillis);
        throttled.begin(0, second, third);
        assertRarely(throttled.selfAvoidedUntil(BEGIN + 30), throttled);
    }

    @Test
    void underQuotasInPhaseNoNodeAvoidsItself() {
        Throttled throttled = new Throttled(120, 1);
        Arrays.fill(throttled.runMillis, 40);
        throttled.begin(0, 0, 0);
        assertRarely(throttled.selfAvoidedUntil(BEGIN + 30), throttled);
    }

    /** Nodes that send no reads to each other hear nothing of each other: they try, and more and more rarely. */
    @Test
    void whereReadsStayAtHomeOthersAreTriedRarely() {
        Throttled throttled = new Throttled(120, 1);
        throttled.cluster.selfFirst = true;
        // Of nodes that were never read from the guard knows nothing.
        throttled.cluster.after(SECOND, () -> throttled.cluster.contacts = 1);
        Arrays.fill(throttled.runMillis, 30);
        throttled.begin(0, 35, 70);
        assertRarely(throttled.selfAvoidedUntil(BEGIN + 60), throttled);
    }

    /** The others run, with the plugin or without: they serve its reads. */
    @ParameterizedTest
    @CsvSource({"2, true, true", "2, false, true", "1, true, true", "2, true, false"})
    void aloneItLeavesItsReadsToTheOthers(int contacts, boolean selfFirst, boolean plugin) {
        Throttled throttled = new Throttled(120, 2);
        throttled.cluster.selfFirst = selfFirst;
        throttled.cluster.after(SECOND, () -> throttled.cluster.contacts = contacts);
        throttled.cluster.nodes.forEach(node -> node.tells = plugin);
        throttled.runMillis[0] = 30;
        throttled.begin(0, 0, 0);
        throttled.selfAvoidedUntil(BEGIN + 3);
        double[] parts = throttled.selfAvoidedUntil(BEGIN + 30);
        assertTrue(parts[0] >= 0.95, () -> Arrays.toString(parts) + "; " + throttled.cluster.log);
        assertTrue(parts[1] + parts[2] == 0, () -> Arrays.toString(parts) + "; " + throttled.cluster.log);
    }

    /** A read that either moves would meet with the other one as often as not. The third may be without the plugin. */
    @ParameterizedTest
    @CsvSource({"100, true", "100, false", "30, false"})
    void ofTwoOfThreeNeitherAvoidsItself(int thirdRunsMillis, boolean thirdTells) {
        Throttled throttled = new Throttled(120, 3);
        throttled.cluster.nodes.get(2).tells = thirdTells;
        throttled.runMillis[0] = 30;
        throttled.runMillis[1] = 30;
        throttled.runMillis[2] = thirdRunsMillis;
        throttled.begin(0, 50, 20);
        double[] parts = throttled.selfAvoidedUntil(BEGIN + 30);
        assertTrue(parts[0] + parts[1] <= 0.05, () -> Arrays.toString(parts) + "; " + throttled.cluster.log);
    }

    @Test
    void onceTheOthersRunAgainTheyServeItsReads() {
        Throttled throttled = new Throttled(120, 4);
        Arrays.fill(throttled.runMillis, 30);
        throttled.begin(0, 35, 70);
        assertRarely(throttled.selfAvoidedUntil(20), throttled);
        throttled.runMillis[1] = PERIOD_MILLIS;
        throttled.runMillis[2] = PERIOD_MILLIS;
        // What they said last counts for five seconds, and their pauses are forgotten within two.
        throttled.selfAvoidedUntil(28);
        double[] alone = throttled.selfAvoidedUntil(40);
        assertTrue(alone[0] >= 0.95, () -> Arrays.toString(alone) + "; " + throttled.cluster.log);
        throttled.runMillis[0] = PERIOD_MILLIS;
        throttled.selfAvoidedUntil(48);
        double[] well = throttled.selfAvoidedUntil(55);
        assertTrue(well[0] + well[1] + well[2] == 0, () -> Arrays.toString(well) + "; " + throttled.cluster.log);
    }
}
