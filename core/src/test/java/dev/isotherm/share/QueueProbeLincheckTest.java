// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.share;

import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Test;

/** Linearizability of a task that runs while the queue is looked at: it waits until then, or has waited before. */
public class QueueProbeLincheckTest {
    private final QueueProbe probe = new QueueProbe();

    public QueueProbeLincheckTest() {
        probe.send(10);
    }

    @Operation(runOnce = true)
    public void ran() {
        probe.ran(10, 30);
    }

    @Operation(runOnce = true)
    public long leastWait() {
        return probe.leastWait(100);
    }

    @Test
    void isLinearizable() {
        new ModelCheckingOptions()
                .iterations(5)
                .invocationsPerIteration(300)
                .threads(2)
                .actorsPerThread(1)
                .actorsBefore(0)
                .actorsAfter(0)
                .check(QueueProbeLincheckTest.class);
    }
}
