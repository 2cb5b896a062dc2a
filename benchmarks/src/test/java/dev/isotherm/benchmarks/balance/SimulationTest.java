// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.balance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The possible errors of the model: requests lost, chance that is not repeatable, and effects that are not there. */
class SimulationTest {
    private static Scenario scenario() {
        Scenario scenario = new Scenario("test", 3);
        scenario.restarted(2, 20, 25);
        scenario.downSecond = 20;
        scenario.eventSecond = 25;
        scenario.settledSecond = 10;
        scenario.seconds = 45;
        scenario.cold = new int[] {2};
        scenario.guarded = true;
        return scenario;
    }

    private static Simulation run(Scenario scenario, Policy policy, long seed) {
        return new Simulation(scenario, policy, seed).run((simulation, second) -> {});
    }

    @ParameterizedTest
    @EnumSource(
            value = Policy.class,
            names = {"LOCAL", "AFFINITY"},
            mode = EnumSource.Mode.EXCLUDE)
    void equalSeedsGiveEqualRuns(Policy policy) {
        Simulation first = run(scenario(), policy, 4);
        Simulation second = run(scenario(), policy, 4);
        assertEquals(first.events.scheduled(), second.events.scheduled());
        assertEquals(
                new Outcome(first).summary().get("mean_ms"),
                new Outcome(second).summary().get("mean_ms"));
        assertNotEquals(
                first.events.scheduled(), run(scenario(), policy, 5).events.scheduled());
    }

    @ParameterizedTest
    @EnumSource(
            value = Policy.class,
            names = {"LOCAL", "AFFINITY"},
            mode = EnumSource.Mode.EXCLUDE)
    void everyRequestIsAnsweredByTwoReplicas(Policy policy) {
        Scenario scenario = scenario();
        scenario.steps.clear();
        Observations observed = run(scenario, policy, 4).observed;
        assertEquals(300, observed.begun(0, 45) / 45.0, 15, "requests a second");
        assertEquals(0, observed.timedOut(0, 45) + observed.failed(0, 45));
        long reads = 0;
        for (int node = 0; node < 3; node++) {
            reads += observed.reads(node, 5, 45);
        }
        assertEquals(2.0 * observed.begun(5, 45), reads, 20);
    }

    @Test
    void allPoliciesGetTheSameRequests() {
        long requests = run(scenario(), Policy.STATIC, 4).observed.begun(0, 45);
        assertEquals(requests, run(scenario(), Policy.UNIFORM, 4).observed.begun(0, 45));
        assertEquals(requests, run(scenario(), Policy.ISOTHERM, 4).observed.begun(0, 45));
    }

    @Test
    void aStoppedNodeServesNothingAndComesBackCold() {
        Observations observed = run(scenario(), Policy.UNIFORM, 4).observed;
        assertEquals(0, observed.reads(2, 21, 25));
        double misses = observed.missesPerSecond(2, 26, 28) / observed.readsPerSecond(2, 26, 28);
        assertTrue(misses > 0.9, () -> "misses per read after the return: " + misses);
        assertEquals(0.36, observed.missesPerSecond(0, 5, 20) / observed.readsPerSecond(0, 5, 20), 0.04);
    }

    @Test
    void aPausedNodeAnswersAfterItsPause() {
        Scenario scenario = scenario();
        scenario.steps.clear();
        scenario.at(30.2, simulation -> simulation.node(1).pause(Simulation.SECOND / 2));
        Observations observed = run(scenario, Policy.STATIC, 4).observed;
        assertEquals(0, observed.timedOut(0, 45));
        assertTrue(observed.percentileMillis(0.99, 30, 31) > 400, "some waited for the pause to end");
        assertTrue(observed.percentileMillis(0.99, 35, 36) < 100, "and none a little later");
    }

    private static Observations dataFits(boolean warmed) {
        Scenario scenario = scenario();
        scenario.rowsPerNode = 600;
        scenario.cachedRows = 600;
        scenario.warmed = warmed;
        return run(scenario, Policy.ISOTHERM, 4).observed;
    }

    /** Where warm nodes miss nothing the cold disk has room, and its first misses cost no client a wait. */
    @Test
    void copiesWarmTheColdNodeAndNoOther() {
        Observations warmed = dataFits(true);
        assertEquals(0, warmed.copiesPerSecond(2, 10, 20), "before it was cold");
        assertEquals(0, warmed.copiesPerSecond(0, 10, 45), "a warm node");
        assertTrue(warmed.copiesPerSecond(2, 26, 31) > 10, "copies of the cold node");
        assertEquals(0, warmed.copiesPerSecond(2, 43, 45), "once it is warm");
        Observations alone = dataFits(false);
        assertEquals(0, alone.copiesPerSecond(2, 10, 45), "copies where none are made");
        double later = alone.missesPerSecond(2, 35, 40);
        double sooner = warmed.missesPerSecond(2, 35, 40);
        assertTrue(sooner < later / 2, () -> "misses/s " + sooner + ", without copies " + later);
    }

    /** Uniform reads overload the cold node's disk; by heat clients wait for it about as much as for the others'. */
    @Test
    void heatSparesTheColdNode() {
        Simulation uniform = run(scenario(), Policy.UNIFORM, 4);
        Simulation isotherm = run(scenario(), Policy.ISOTHERM, 4);
        assertTrue(uniform.node(2).disk().load(26, 31) > 0.9, "uniform");
        Station cold = isotherm.node(2).disk();
        double awaited = cold.load(26, 31) - cold.loadOfCopies(26, 31);
        assertEquals(isotherm.node(0).disk().load(26, 31), awaited, 0.15, "by heat");
        assertTrue(cold.loadOfCopies(26, 31) > 0.2, "copies take what is left");
    }

    @Test
    void whatIsToldLateIsNoNewsWhenItComes() {
        Scenario scenario = scenario();
        scenario.steps.clear();
        scenario.gossipDelaySeconds = 5;
        scenario.piggyback = false;
        long[] published = new long[scenario.seconds + 1];
        Simulation simulation = new Simulation(scenario, Policy.ISOTHERM, 4).run((running, second) -> {
            published[second] = running.node(0).heat().published().number;
            long heard = running.gossip.heardOf(1, 0).number;
            assertTrue(heard <= published[Math.max(0, second - 5)], () -> heard + " after " + second + " s");
        });
        assertTrue(simulation.gossip.heardOf(1, 0).number > 0, "it is told at last");
        assertTrue(published[scenario.seconds] > 0);
    }

    /** Of messages that take a second there and back a hundred requests are under way when their coordinator ends. */
    @ParameterizedTest
    @EnumSource(
            value = Policy.class,
            names = {"STATIC", "SHUNNING", "ISOTHERM"})
    void whatACoordinatorHadUnderWayIsLostWithIt(Policy policy) {
        Scenario scenario = scenario();
        scenario.steps.clear();
        scenario.at(30, simulation -> simulation.node(0).setLate(Simulation.SECOND / 2))
                .restarted(0, 35, 35);
        Observations observed = run(scenario, policy, 4).observed;
        assertEquals(0, observed.timedOut(20, 33));
        assertTrue(observed.timedOut(33, 36) > 30, () -> observed.timedOut(33, 36) + " requests");
    }

    /** Once the first reads have expired, other coordinators go around the node, as Cassandra's dynamic snitch does. */
    @Test
    void readsThatExpireCountForTheOrderByLatency() {
        Scenario scenario = scenario();
        scenario.steps.clear();
        scenario.at(15, simulation -> simulation.node(2).disk().setSlowness(0));
        long shunning = run(scenario, Policy.SHUNNING, 4).observed.timedOut(25, 40);
        long fixed = run(scenario, Policy.STATIC, 4).observed.timedOut(25, 40);
        assertTrue(shunning < 0.7 * fixed, () -> shunning + " and " + fixed + " requests lost");
    }
}
