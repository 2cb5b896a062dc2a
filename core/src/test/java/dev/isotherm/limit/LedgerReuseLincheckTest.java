// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.limit;

import dev.isotherm.common.SplitMix64;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/**
 * Linearizability where one slot is drained and used again, by the same partition and by another, while a thread is
 * about to add to it: no operation is lost, none is counted for another partition, and what has been noted is drained.
 */
@Param(name = "partition", gen = IntGen.class, conf = "0:1")
public class LedgerReuseLincheckTest {
    /** Two partitions that look at the same slot first. */
    private static final long[] PARTITIONS = {5, sameHome(5)};

    private static final long SEED = 7;

    private final AdmissionLedger<Long, String> ledger = new AdmissionLedger<>(1, SEED);

    private static long sameHome(long partition) {
        long other = partition + 1;
        while (((home(other) ^ home(partition)) & 7) != 0) {
            other++;
        }
        return other;
    }

    @Operation
    public void note(@Param(name = "partition") int partition) {
        ledger.note(PARTITIONS[partition], 1_000, 1, PARTITIONS[partition], "k");
    }

    /** The operations of one of them. A draining is not one instant for both. */
    @Operation(nonParallelGroup = "drainer")
    public double drain() {
        double[] handedOver = {0};
        ledger.drain((partition, limit, operations, group, key) -> {
            if (group != partition || limit != 1_000 || !"k".equals(key)) {
                throw new AssertionError();
            }
            handedOver[0] += partition == PARTITIONS[0] ? operations : 0;
        });
        return handedOver[0];
    }

    @Test
    void isLinearizable() {
        new ModelCheckingOptions()
                .iterations(20)
                .invocationsPerIteration(300)
                .threads(2)
                .actorsPerThread(2)
                .actorsBefore(1)
                .actorsAfter(1)
                .check(LedgerReuseLincheckTest.class);
    }

    private static long home(long partition) {
        return SplitMix64.mix(partition ^ SplitMix64.mix(SEED));
    }
}
