// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.share;

import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/** Linearizability while no slot is taken over: for every interleaving no time is lost and none counts twice. */
@Param(name = "partition", gen = IntGen.class, conf = "1:2")
public class ServedTimeLincheckTest {
    private static final long NANOS = 1_024;

    private final ServedTime times = new ServedTime(ServedTime.WAYS, 1);

    @Operation
    public void add(@Param(name = "partition") int partition) {
        times.add(partition, NANOS);
    }

    @Operation
    public long nanosOf(@Param(name = "partition") int partition) {
        return times.nanosOf(partition);
    }

    @Operation(nonParallelGroup = "looker")
    public void forget() {
        times.decay(0);
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
                .check(ServedTimeLincheckTest.class);
    }
}
