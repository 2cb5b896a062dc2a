// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.queue;

import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Test;

/**
 * For every interleaving of a thread that takes an answer with one that estimates: the estimate rests on the old answer
 * with its instant or on the new one with its own, so that an answer too old to count never passes for a new one.
 */
public class DepthEstimatorLincheckTest {
    private static final int SILENCE = 1000;

    private final DepthEstimator peer = new DepthEstimator(new QueueSettings(100, 50, SILENCE, 100));

    public DepthEstimatorLincheckTest() {
        peer.answered(5, 0, 1, 1);
    }

    @Operation(nonParallelGroup = "answers")
    public boolean answered() {
        return peer.answered(7, 0, SILENCE + 1, SILENCE + 1);
    }

    @Operation
    public int estimate() {
        return peer.estimate(SILENCE + 1);
    }

    @Operation
    public int freshEstimate() {
        return peer.freshEstimate(100, SILENCE + 1);
    }

    @Operation
    public boolean isDue() {
        return peer.isDue(SILENCE + 1);
    }

    @Test
    void isLinearizable() {
        new ModelCheckingOptions()
                .iterations(20)
                .invocationsPerIteration(200)
                .threads(2)
                .actorsPerThread(2)
                .actorsBefore(0)
                .actorsAfter(1)
                .check(DepthEstimatorLincheckTest.class);
    }
}
