// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.share;

import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Test;

/** Linearizability of a task that runs while the queue is looked at. */
public class QueueProbeLincheckTest {
    private final QueueProbe probe = new QueueProbe();

    @Operation(nonParallelGroup = "looker")
    public boolean send() {
        return probe.send(10);
    }

    @Operation(nonParallelGroup = "runner")
    public void ran() {
        probe.ran(10, 30);
    }

    @Operation(nonParallelGroup = "looker")
    public boolean isLookable() {
        return probe.leastWait(100) >= 0;
    }

    @Test
    void isLinearizable() {
        new ModelCheckingOptions()
                .iterations(10)
                .invocationsPerIteration(300)
                .threads(2)
                .actorsPerThread(2)
                .actorsBefore(1)
                .actorsAfter(1)
                .check(QueueProbeLincheckTest.class);
    }
}
