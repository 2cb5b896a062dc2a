// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.balance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What is worse than Cassandra's own orders is seen: random reads miss more than a fixed order. */
class StockPromiseTest {
    private static Outcome outcome(Policy policy) {
        Scenario scenario = new Scenario("test", 3);
        scenario.seconds = 60;
        return new Outcome(new Simulation(scenario, policy, 4).run((simulation, second) -> {}));
    }

    @Test
    void whatIsWorseThanOneOfBothBreaksIt() {
        Outcome uniform = outcome(Policy.UNIFORM);
        Outcome fixed = outcome(Policy.STATIC);
        List<Fault> faults = Promises.faults(Promise.STOCK, uniform, List.of(uniform, fixed));
        assertFalse(faults.isEmpty(), "random reads take no longer");
        faults.forEach(fault -> assertTrue(fault.sentence.contains("static"), fault.sentence));
        assertEquals(List.of(), Promises.faults(Promise.STOCK, fixed, List.of(uniform, fixed)));
    }
}
