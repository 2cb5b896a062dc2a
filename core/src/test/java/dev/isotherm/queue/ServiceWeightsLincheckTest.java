// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.queue;

import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Test;

/**
 * Linearizability of a time that is told while another thread begins the next window: it counts, in one of the two.
 */
public class ServiceWeightsLincheckTest {
    private static final long WINDOW = 10_000;

    private final ServiceWeights weights = new ServiceWeights(4, 500, WINDOW, 0);

    @Operation(runOnce = true)
    public void told() {
        weights.told(1_000, WINDOW - 1);
    }

    @Operation
    public int weighed() {
        return weights.weighed(7, 20_000, WINDOW);
    }

    @Test
    void isLinearizable() {
        new ModelCheckingOptions()
                .iterations(10)
                .invocationsPerIteration(300)
                .threads(2)
                .actorsPerThread(1)
                .actorsBefore(0)
                .actorsAfter(1)
                .check(ServiceWeightsLincheckTest.class);
    }
}
