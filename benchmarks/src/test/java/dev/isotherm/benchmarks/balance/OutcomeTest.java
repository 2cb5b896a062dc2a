// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.balance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** Whether a node has rejoined is a comparison: with whom, and from when on. */
class OutcomeTest {
    private static Scenario scenario() {
        Scenario scenario = new Scenario("test", 3);
        scenario.requestsPerNode = 50;
        scenario.downSecond = 6;
        scenario.eventSecond = 6;
        scenario.settledSecond = 2;
        scenario.seconds = 20;
        scenario.cold = new int[] {2};
        return scenario.restarted(2, 6, 6);
    }

    private static double[] series(Outcome outcome, String name) {
        return (double[]) ((Map<?, ?>) outcome.summary().get("series")).get(name);
    }

    private static Simulation run(Scenario scenario) {
        return new Simulation(scenario, Policy.UNIFORM, 4).run((simulation, second) -> {});
    }

    /** By the mean with a node that is dead or cold any other seems to have its part of the reads. */
    @Test
    void aNodeThatFailsMeanwhileIsNotTakenForAWarmOne() {
        Scenario scenario = scenario().restarted(1, 8, 14);
        Simulation run = run(scenario);
        double[] reads = series(new Outcome(run), "warm_reads");
        double[] misses = series(new Outcome(run), "warm_misses");
        for (int second = 0; second < scenario.seconds; second++) {
            assertEquals(run.observed.readsPerSecond(0, second, second + 1), reads[second], 1e-3);
            assertEquals(run.observed.missesPerSecond(0, second, second + 1), misses[second], 1e-3);
        }
        assertTrue(scenario.canRejoin());
        scenario.restarted(0, 15, 15);
        assertFalse(scenario.canRejoin(), "none is left to compare it with");
    }

    /** Random replicas are read from as much as ever from their return on. */
    @Test
    void nodesThatReturnOneAfterTheOtherAreToRejoinFromTheLastReturnOn() {
        Scenario scenario = scenario();
        scenario.restarted(1, 14, 18);
        scenario.cold = new int[] {1, 2};
        scenario.lastReturnSecond = 18;
        scenario.seconds = 60;
        assertEquals(0, new Outcome(run(scenario)).rejoinedSeconds);
        scenario.lastReturnSecond = 0;
        assertTrue(new Outcome(run(scenario)).rejoinedSeconds > 10);
    }
}
