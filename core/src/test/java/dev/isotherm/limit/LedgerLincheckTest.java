// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.limit;

import java.util.List;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Test;

/**
 * Linearizability: for every interleaving of threads that note operations of one partition and one thread that drains,
 * some sequential order of their calls hands over the same operations.
 */
public class LedgerLincheckTest {
    private final AdmissionLedger<String, String> ledger = new AdmissionLedger<>(1, 7);
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

    /** While another thread is still entering the partition, what this one has added to it is drained. */
    @Test
    void isLinearizableFromTheFirstNoteOn() throws NoSuchMethodException {
        Actor one = new Actor(LedgerLincheckTest.class.getMethod("one"), List.of());
        Actor drain = new Actor(LedgerLincheckTest.class.getMethod("drain"), List.of());
        new ModelCheckingOptions()
                .iterations(0)
                .invocationsPerIteration(300)
                .addCustomScenario(
                        new ExecutionScenario(List.of(), List.of(List.of(one), List.of(one, drain)), List.of(), null))
                .check(LedgerLincheckTest.class);
    }
}
