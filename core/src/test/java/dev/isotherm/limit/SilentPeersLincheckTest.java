// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.limit;

import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Test;

/**
 * Linearizability: for every interleaving of requests that give up, answers and claims of trials, some sequential order
 * of them has the same results. In particular a due trial has one claimant.
 */
public class SilentPeersLincheckTest {
    private static final long PATIENCE = 100;
    private static final long DUE = SilentPeers.FIRST_INTERVAL_NANOS;

    private final SilentPeers<String> peers = new SilentPeers<>(PATIENCE);

    @Operation
    public void unanswered() {
        peers.unanswered("a", 0);
    }

    @Operation
    public void answeredInTime() {
        peers.answered("a", 0, PATIENCE);
    }

    @Operation
    public boolean claimTrial() {
        return peers.claimTrial("a", DUE);
    }

    @Operation
    public boolean isSilent() {
        return peers.isSilent("a");
    }

    @Test
    void isLinearizable() {
        new ModelCheckingOptions()
                .iterations(8)
                .invocationsPerIteration(300)
                .threads(3)
                .actorsPerThread(2)
                .actorsBefore(1)
                .actorsAfter(1)
                .check(SilentPeersLincheckTest.class);
    }
}
