// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.limit;

import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Test;

/**
 * Linearizability: for every interleaving of threads that note operations of one partition and one thread that drains,
 * some sequential order of their calls hands over the same operations.
 */
public class LedgerLincheckTest {
    private final AdmissionLedger<String, String> ledger = new AdmissionLedger<>(1);
    private double handedOver;

    @Operation
    public void one() {
        ledger.note(5, 1_000, 1, "t", "k");
    }

    @Operation
    public void three() {
        ledger.note(5, 1_000, 3, "t", "k");
    }

    @Operation(nonParallelGroup = "drainer")
    public double drain() {
        handedOver = 0;
        ledger.drain((partition, limit, operations, group, key) -> {
            if (partition != 5 || limit != 1_000 || !"t".equals(group) || !"k".equals(key)) {
                throw new AssertionError();
            }
            handedOver += operations;
        });
        return handedOver;
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
                .check(LedgerLincheckTest.class);
    }
}
