// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.isotherm.benchmarks.RunResults;
import dev.isotherm.benchmarks.Shortfalls;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A sampled read and one that is not are judged by what they allocate, and the latter by its time too. */
class SamplingSummaryTest {
    private static Shortfalls judged(long unsampled, double bytes) {
        Shortfalls shortfalls = new Shortfalls(true);
        new SamplingSummary(RunResults.of(
                        "dev.isotherm.cassandra.heat.DiskSamplingBenchmark",
                        Map.of("sampled", 1_100L, "unsampled", unsampled),
                        bytes))
                .print(new PrintStream(new ByteArrayOutputStream()), shortfalls);
        return shortfalls;
    }

    @Test
    void whatKeepsThePromisesFallsShortOfNone() {
        assertEquals(List.of(), judged(100, 0.2).slow());
        assertEquals(List.of(), judged(100, 0.2).broken());
    }

    @Test
    void aReadThatIsNotSampledAndTakesLongIsNamed() {
        assertEquals(
                List.of("a read that is not sampled takes 101 ns more, promised are 100"),
                judged(101, 0).slow());
    }

    @Test
    void eachThatAllocatesIsNamed() {
        assertEquals(
                List.of(
                        "sampled allocates 24.0 bytes, promised are none",
                        "unsampled allocates 24.0 bytes, promised are none"),
                judged(100, 24).broken());
    }
}
