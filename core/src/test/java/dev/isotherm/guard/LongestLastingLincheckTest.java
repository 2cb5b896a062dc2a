// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Test;

/** Linearizability of answers that come while a second passes: none that is the longest is lost. */
public class LongestLastingLincheckTest {
    private final LongestLasting longest = new LongestLasting();

    public LongestLastingLincheckTest() {
        longest.took(1_200);
    }

    @Operation
    public void tookLonger() {
        longest.took(1_260);
    }

    @Operation
    public void tookAsLongAsAny() {
        longest.took(6_000);
    }

    @Operation(nonParallelGroup = "looker")
    public void second() {
        longest.second();
    }

    @Operation(nonParallelGroup = "looker")
    public long nanos() {
        return longest.nanos();
    }

    @Test
    void isLinearizable() {
        new ModelCheckingOptions()
                .iterations(20)
                .invocationsPerIteration(300)
                .threads(2)
                .actorsPerThread(2)
                .actorsBefore(0)
                .actorsAfter(1)
                .check(LongestLastingLincheckTest.class);
    }
}
