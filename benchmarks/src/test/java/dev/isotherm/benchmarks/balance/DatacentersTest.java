// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.balance;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.guard.ReplicaRanks;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The possible errors of the model of two datacenters: a level that is not kept, and distances that are not felt. */
class DatacentersTest {
    private static Scenario scenario(boolean local) {
        Scenario scenario = new Scenario("test", 12);
        scenario.datacenters = 2;
        scenario.readsAreLocal = local;
        scenario.guarded = true;
        scenario.restarted(11, 15, 18);
        scenario.downSecond = 15;
        scenario.eventSecond = 18;
        scenario.settledSecond = 5;
        scenario.seconds = 25;
        scenario.cold = new int[] {11};
        return scenario;
    }

    private static Observations run(Scenario scenario, Policy policy) {
        return new Simulation(scenario, policy, 4).run((simulation, second) -> {}).observed;
    }

    private static double reads(Observations observed, int datacenter, int from, int to) {
        double reads = 0;
        for (int node = 6 * datacenter; node < 6 * datacenter + 6; node++) {
            reads += observed.reads(node, from, to);
        }
        return reads;
    }

    @ParameterizedTest
    @EnumSource(Policy.class)
    void localReadsStayInTheDatacenterOfTheirClients(Policy policy) {
        Observations observed = run(scenario(true), policy);
        assertEquals(0, observed.crossed(0, 25));
        // What a stopped node had under way is lost.
        assertEquals(0, observed.timedOut(0, 14) + observed.failed(0, 25));
        // Half of the clients are in each, and each request is read by two replicas.
        assertEquals(observed.begun(5, 15), reads(observed, 0, 5, 15), 400);
        assertEquals(observed.begun(5, 15), reads(observed, 1, 5, 15), 400);
        double median = observed.percentileMillis(0.5, 5, 15);
        assertTrue(median < 20, () -> "local reads wait for no other datacenter: " + median + " ms");
    }

    @ParameterizedTest
    @EnumSource(Policy.class)
    void aQuorumOfAllReadsItsOwnDatacenterFirst(Policy policy) {
        Observations observed = run(scenario(false), policy);
        // Three of the four replicas are near while all live; a trial of the guard or a copy may come on top.
        assertEquals(observed.begun(5, 14), observed.crossed(5, 14), 0.02 * observed.begun(5, 14));
        double least = observed.percentileMillis(0.001, 5, 15);
        assertTrue(least > 40, () -> "a read waits for the way to the other datacenter and back: " + least + " ms");
    }

    @Test
    void aColdNodeIsWarmedByItsOwnDatacenter() {
        Observations observed = run(scenario(true), Policy.ISOTHERM);
        assertTrue(observed.copiesPerSecond(11, 20, 25) > 1, "copies for the cold node");
        for (int node = 0; node < 11; node++) {
            assertEquals(0, observed.copiesPerSecond(node, 0, 25), "copies for node " + node);
        }
        assertEquals(0, observed.crossed(0, 25), "copies from the other datacenter");
    }

    /** As in the plugin: it passes one that is nearly always late. */
    @Test
    void aReplicaElsewherePassesNoneThatIsHardlyLate() {
        int[] order = {0, 1, 11};
        GuardOfNode.reorder(
                order, new int[] {ReplicaRanks.AVOIDED, ReplicaRanks.USED, ReplicaRanks.USED}, node -> node > 5);
        assertArrayEquals(new int[] {1, 0, 11}, order);
        int[] most = {0, 1, 11};
        GuardOfNode.reorder(
                most, new int[] {ReplicaRanks.MOST_AVOIDED, ReplicaRanks.USED, ReplicaRanks.USED}, node -> node > 5);
        assertArrayEquals(new int[] {1, 11, 0}, most);
    }

    /** Nor is it compared with another one. Compared with no reads at all, any would be enough. */
    @Test
    void aDatacenterThatIsColdAsAWholeHasNoneToRejoin() {
        Scenario scenario = scenario(true);
        scenario.steps.clear();
        scenario.cold = new int[] {6, 7, 8, 9, 10, 11};
        for (int node : scenario.cold) {
            scenario.at(18, simulation -> simulation.emptyCache(node));
        }
        Simulation run = new Simulation(scenario, Policy.ISOTHERM, 4).run((simulation, second) -> {});
        Outcome outcome = new Outcome(run);
        for (int node = 0; node < 12; node++) {
            assertEquals(0, run.observed.copiesPerSecond(node, 0, 25), "copies for node " + node);
        }
        assertTrue(Double.isNaN(outcome.rejoinedSeconds), () -> "rejoined after s: " + outcome.rejoinedSeconds);
    }
}
