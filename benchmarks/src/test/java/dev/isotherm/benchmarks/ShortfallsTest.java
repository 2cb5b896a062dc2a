// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What a busy machine excuses is kept apart from what it does not. */
class ShortfallsTest {
    private final Shortfalls whole = new Shortfalls(true);
    private final Shortfalls part = new Shortfalls(false);

    @Test
    void aTimeIsOnlySlow() {
        whole.atMost(2, 2, "kept");
        whole.atLeast(2, 2, "kept");
        whole.atMost(2, 2.1, "too long");
        whole.atLeast(2, 1.9, "too little");
        assertEquals(List.of("too long", "too little"), whole.slow());
        assertEquals(List.of(), whole.broken());
    }

    @Test
    void anAllocationIsBrokenAndFractionsOfAByteAreJmhsOwn() {
        part.noBytes("this", 0.99);
        part.noBytes("that", 1);
        assertEquals(List.of("that allocates 1.0 bytes, promised are none"), part.broken());
        assertEquals(List.of(), part.slow());
    }

    @Test
    void whatWasNotMeasuredIsBrokenIfAllWereToRun() {
        for (Shortfalls shortfalls : List.of(whole, part)) {
            shortfalls.atMost(2, Double.NaN, "this");
            shortfalls.atLeast(2, Double.NaN, "that");
            shortfalls.noBytes("those", Double.NaN);
            shortfalls.missing("all");
        }
        assertEquals(
                List.of(
                        "not measured: this",
                        "not measured: that",
                        "not measured: those allocates NaN bytes, promised are none",
                        "all"),
                whole.broken());
        assertEquals(List.of(), part.broken());
        assertEquals(List.of(), whole.slow());
        assertEquals(List.of(), part.slow());
    }
}
