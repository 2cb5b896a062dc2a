// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.isotherm.benchmarks.RunResults;
import dev.isotherm.benchmarks.Shortfalls;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.results.RunResult;

/** Each decision of the limiter is judged beside its rival and by what it allocates, and the rivals are not. */
class LimitSummaryTest {
    private static final Set<String> OURS = Set.of(
            "bucket",
            "bucket 0.5",
            "bucket 2",
            "bucket 100",
            "oneThread",
            "twoThreads",
            "noTableLimited",
            "anotherTableLimited");
    private static final Set<String> RIVALS = Set.of(
            "concurrentHashMap",
            "atomicLong 0.5",
            "atomicLong 2",
            "atomicLong 100",
            "oneThreadCounter",
            "twoThreadsCounters",
            "volatileField");

    /** What each allocates. */
    private final Map<String, Double> bytes = new TreeMap<>();
    /** What each takes, unless it is 10 ns. */
    private final Map<String, Long> nanos = new TreeMap<>(Map.of("concurrentHashMap", 30L));

    private Shortfalls judged() {
        Set<String> names = new TreeSet<>(OURS);
        names.addAll(RIVALS);
        List<RunResult> results = new ArrayList<>();
        for (String name : names) {
            String[] parts = name.split(" ");
            results.add(RunResults.of(
                    "dev.isotherm.benchmarks.limit.AnyBenchmark." + parts[0],
                    parts.length == 1 ? Map.of() : Map.of("offered", parts[1]),
                    nanos.getOrDefault(name, 10L),
                    bytes.getOrDefault(name, 0.2)));
        }
        Shortfalls shortfalls = new Shortfalls(true);
        new LimitSummary(results).print(new PrintStream(new ByteArrayOutputStream()), shortfalls);
        return shortfalls;
    }

    @Test
    void whatKeepsThePromisesFallsShortOfNone() {
        assertEquals(List.of(), judged().slow());
        assertEquals(List.of(), judged().broken());
    }

    @Test
    void eachOfOursThatAllocatesIsNamed() {
        for (String name : OURS) {
            bytes.put(name, 16.0);
            assertEquals(List.of(name + " allocates 16.0 bytes, promised are none"), judged().broken());
            bytes.remove(name);
        }
    }

    @Test
    void whatRivalsAllocateIsTheirs() {
        RIVALS.forEach(name -> bytes.put(name, 40.0));
        assertEquals(List.of(), judged().broken());
    }

    @Test
    void eachRivalJudges() {
        nanos.put("bucket 2", 21L);
        nanos.put("twoThreads", 13L);
        nanos.put("bucket", 11L);
        assertEquals(
                List.of(
                        "hot, 2 x the limit, over AtomicLong: 2.10 x, promised at most 2.00",
                        "a million partitions, over ConcurrentHashMap: 0.37 x, promised at most 0.33",
                        "two threads on two partitions, over one: 1.30 x, promised at most 1.20"),
                judged().slow());
    }
}
