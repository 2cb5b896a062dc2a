// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.balance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;

/** What is said of the promises of a scenario, and the status with which the program ends. */
class PromisesTest {
    private static Scenario scenario() {
        return scenario(3);
    }

    private static Scenario scenario(int nodes) {
        Scenario scenario = new Scenario("test", nodes);
        scenario.eventSecond = 6;
        scenario.downSecond = 6;
        scenario.settledSecond = 2;
        scenario.seconds = 18;
        scenario.promises.clear();
        return scenario;
    }

    private static Outcome outcome(Scenario scenario, Policy policy) {
        return outcome(scenario, policy, 4);
    }

    private static Outcome outcome(Scenario scenario, Policy policy, long seed) {
        return new Outcome(new Simulation(scenario, policy, seed).run((simulation, second) -> {}));
    }

    private static Promises checked(Scenario scenario) {
        Promises promises = new Promises();
        Outcome isotherm = Outcome.ofRuns(List.of(outcome(scenario, Policy.ISOTHERM)));
        promises.check(List.of(isotherm, outcome(scenario, Policy.UNIFORM)));
        return promises;
    }

    /** Nothing that was measured can be as far from what is simulated. */
    private static Scenario unlikeTheLab() {
        Scenario scenario = scenario().promises(Promise.MODEL, Promise.STAYING);
        scenario.measured = new LabRun(1e6, 1e6, 1e6);
        return scenario;
    }

    private static void assertEachFault(List<String> sentences) {
        assertEquals(3, sentences.size(), sentences::toString);
        List<String> begin = List.of("rejoined after s", "misses/s of a warm node", "misses/s of the cold node");
        for (int i = 0; i < 3; i++) {
            assertTrue(sentences.get(i).startsWith("test, 3 nodes: " + begin.get(i)), sentences.get(i));
        }
    }

    @Test
    void everyWayInWhichAPromiseIsBrokenIsSaidAndEndsWithAnError() {
        Promises promises = checked(unlikeTheLab());
        assertEachFault(promises.broken());
        assertEquals(List.of(), promises.notKept());
        assertEquals(1, promises.status());
        assertEquals("Broken: 3. Not kept: 0.", promises.closing());
    }

    @Test
    void whatIsKnownNotToBeKeptIsSaidAndIsNoError() {
        Promises promises = checked(unlikeTheLab().doesNotKeep(Double.POSITIVE_INFINITY, Promise.MODEL));
        assertEachFault(promises.notKept());
        assertEquals(List.of(), promises.broken());
        assertEquals(List.of(), promises.keptAfterAll());
        assertEquals(0, promises.status());
        assertEquals("Broken: 0. Not kept: 3.", promises.closing());
    }

    /** Each of the three is four times as far off as it may be, or more. */
    @Test
    void whatIsFurtherFromThePromiseThanIsKnownIsBroken() {
        Promises promises = checked(unlikeTheLab().doesNotKeep(3.9, Promise.MODEL));
        assertEachFault(promises.broken());
        promises.broken()
                .forEach(sentence ->
                        assertTrue(sentence.endsWith(" x what is promised, where 3.90 x is known"), sentence));
        assertEquals(List.of(), promises.notKept());
        assertEquals(1, promises.status());
    }

    @Test
    void whatIsSaidNotToBeKeptAndIsStandsInTheClosingLine() {
        Promises promises = checked(scenario().promises(Promise.STAYING).doesNotKeep(Promise.STAYING));
        assertEquals(List.of("test, 3 nodes: STAYING"), promises.keptAfterAll());
        assertEquals(0, promises.status());
        assertEquals("Broken: 0. Not kept: 0. Kept, though said not to be: test, 3 nodes: STAYING", promises.closing());
    }

    @Test
    void whatOneOfTheRunsDoesNotKeepIsNotKept() {
        Scenario rejoins = scenario().promises(Promise.REJOINING);
        rejoins.doesNotKeep(Double.POSITIVE_INFINITY, Promise.REJOINING);
        rejoins.cold = new int[] {2};
        rejoins.measured = new LabRun(1, Double.NaN, Double.NaN);
        // Of a node that is not said to come back it is not known when it does.
        Scenario doesNot = scenario();
        Outcome isotherm = Outcome.ofRuns(List.of(
                outcome(rejoins, Policy.ISOTHERM),
                outcome(doesNot, Policy.ISOTHERM),
                outcome(rejoins, Policy.ISOTHERM)));
        Promises promises = new Promises();
        promises.check(List.of(isotherm, outcome(rejoins, Policy.UNIFORM)));
        assertEquals(List.of(), promises.keptAfterAll());
        assertEquals(
                1,
                promises.notKept().stream()
                        .filter(sentence -> sentence.contains("in another run"))
                        .count(),
                promises.notKept()::toString);
    }

    /** Chance makes one run of three slow; what is sent where nothing may be is seen in each. */
    @Test
    void ofSeveralRunsTheMedianOfEachNumberCountsAndTheMostOfWhatMustNotHappen() {
        Scenario quick = scenario();
        Scenario crossing = scenario(6);
        crossing.datacenters = 2;
        List<Outcome> runs = List.of(
                outcome(quick, Policy.ISOTHERM, 4),
                outcome(quick, Policy.ISOTHERM, 5),
                outcome(crossing, Policy.ISOTHERM, 6));
        Outcome median = Outcome.ofRuns(runs);
        assertEquals(middle(runs, run -> run.meanMillis), median.meanMillis);
        assertEquals(middle(runs, run -> run.firstP99Millis), median.firstP99Millis);
        assertEquals(middle(runs, run -> run.p99Millis), median.p99Millis);
        assertEquals(middle(runs, run -> run.misses), median.misses);
        assertTrue(median.crossed > 0);
        assertEquals(runs, median.runs());
    }

    private static double middle(List<Outcome> runs, ToDoubleFunction<Outcome> number) {
        return runs.stream().mapToDouble(number).sorted().toArray()[1];
    }
}
