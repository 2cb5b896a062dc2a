// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.balance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ScenariosTest {
    /** The page says of each when its nodes have rejoined; of some that is said of the model, or they fail again. */
    @Test
    void nodesThatCanRejoinAreHeldToIt() {
        List<String> silent = Scenarios.all().stream()
                .filter(scenario -> scenario.canRejoin() && !scenario.promises.contains(Promise.REJOINING))
                .map(scenario -> scenario.name.replaceFirst(", heat from .*|: .*", ""))
                .distinct()
                .sorted()
                .collect(Collectors.toList());
        assertEquals(List.of("a second node fails while the first warms", "as in the lab", "one node flaps"), silent);
    }
}
