// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.queue;

import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Test;

/** Linearizability of a round that opens while the question that it would share fails: it does not wait for nobody. */
public class AskRoundLincheckTest {
    private static final long NOW = 5_000;
    private static final QueueSettings SETTINGS = new QueueSettings(100, 50, 10_000, 100);

    private final DepthEstimator peer = new DepthEstimator(SETTINGS);
    private final AskRound round =
            new AskRound(new LeaderChoice(SETTINGS), new DepthEstimator[] {peer}, 1, 500, 1, null);

    public AskRoundLincheckTest() {
        peer.claimQuestion(NOW);
    }

    @Operation(runOnce = true)
    public int open() {
        return round.open(NOW + 1);
    }

    @Operation(runOnce = true)
    public void failed() {
        peer.failed(NOW, NOW + 1);
    }

    @Operation
    public boolean isSettled() {
        return round.isSettled();
    }

    @Test
    void isLinearizable() {
        new ModelCheckingOptions()
                .iterations(20)
                .invocationsPerIteration(300)
                .threads(2)
                .actorsPerThread(1)
                .actorsBefore(0)
                .actorsAfter(1)
                .check(AskRoundLincheckTest.class);
    }
}
