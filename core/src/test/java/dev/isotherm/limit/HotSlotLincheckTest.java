// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.limit;

import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/** For every interleaving what is read of a slot belongs to one partition. */
@Param(name = "partition", gen = IntGen.class, conf = "1:2")
public class HotSlotLincheckTest {
    private final HotSlot<Integer, Integer> slot = new HotSlot<>();

    @Operation
    public void claim(@Param(name = "partition") int partition) {
        slot.claim(partition, partition, partition);
    }

    @Operation
    public void release(@Param(name = "partition") int partition) {
        slot.release(partition);
    }

    @Operation(nonParallelGroup = "ticker")
    public void tick() {
        slot.tick(1, 0, 1_000);
    }

    @Operation
    public boolean isTorn() {
        HotSlot.Rates<Integer, Integer> rates = slot.rates();
        return rates != null && (rates.group == null || !rates.group.equals(rates.key));
    }

    @Test
    void isNeverTorn() {
        new ModelCheckingOptions()
                .iterations(20)
                .invocationsPerIteration(300)
                .threads(2)
                .actorsPerThread(2)
                .actorsBefore(1)
                .actorsAfter(1)
                .check(HotSlotLincheckTest.class);
    }
}
