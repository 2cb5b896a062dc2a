// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class LookTurnsTest {
    private LookTurns<Integer> turns = new LookTurns<>();
    private final List<Integer> looked = new ArrayList<>();

    private static List<Integer> tables(int count) {
        return IntStream.range(0, count).boxed().collect(Collectors.toList());
    }

    private void round(List<Integer> tables, Set<Integer> read) {
        looked.clear();
        turns.next(() -> tables, all -> {}, table -> {
            looked.add(table);
            return read.contains(table);
        });
    }

    /**
     * A table at rest waits for ten rounds at most, and none has two turns in one. One that is read has one in each
     * cycle, as long as others come and go: it waits for nine rounds at most, as the last one of a cycle that was the
     * first of the one before, and for five where as many are read.
     */
    @Property(tries = 300, seed = "111")
    void eachHasItsTurnInTime(
            @ForAll @IntRange(min = 1, max = 3000) int count,
            @ForAll @DoubleRange(min = 0, max = 1) double part,
            @ForAll boolean changes,
            @ForAll long seed) {
        turns = new LookTurns<>();
        SplittableRandom random = new SplittableRandom(seed);
        List<Integer> tables = tables(count);
        Set<Integer> always = new HashSet<>();
        tables.forEach(table -> {
            if (random.nextDouble() < part) {
                always.add(table);
            }
        });
        Map<Integer, Integer> lastRound = new HashMap<>();
        Set<Integer> inCycle = new HashSet<>();
        for (int round = 1; round <= 60; round++) {
            Set<Integer> read = new HashSet<>(always);
            if (changes && random.nextBoolean()) {
                tables.stream().filter(table -> random.nextInt(3) == 0).forEach(read::add);
            }
            round(tables, read);
            assertEquals(looked.size(), new HashSet<>(looked).size(), "a table had two turns in a round");
            for (int table : looked) {
                // Once it is known to be read: it was found so in the first ten rounds.
                int most = round > 20 && always.contains(table) ? changes ? 9 : 5 : 10;
                int waited = round - lastRound.getOrDefault(table, 0);
                assertTrue(waited <= most, () -> "a table waited for " + waited + " rounds");
                lastRound.put(table, round);
            }
            inCycle.addAll(looked);
            if (turns.haveLookedAtAllRead()) {
                assertTrue(round <= 20 || inCycle.containsAll(always), "a cycle has left one out");
                inCycle.clear();
            }
        }
        assertEquals(count, lastRound.size());
        lastRound.forEach((table, last) -> assertTrue(last > 50));
    }

    /** A round looks at a tenth of those at rest and a fifth of those read, where these are many. */
    @Test
    void aRoundTakesATimeThatGrowsLittleWithTheTables() {
        List<Integer> tables = tables(5000);
        Set<Integer> read = new HashSet<>(tables(1000));
        for (int round = 0; round < 50; round++) {
            round(tables, read);
            int most = round < 10 ? 1000 : 500 + 200;
            assertTrue(looked.size() <= most, () -> looked.size() + " tables in a round");
        }
    }

    @Test
    void upToAHundredAreLookedAtInEachRound() {
        for (int round = 0; round < 3; round++) {
            round(tables(99), Set.of(7));
            assertEquals(new HashSet<>(tables(99)), new HashSet<>(looked));
            assertTrue(turns.haveLookedAtAllRead());
        }
    }

    /** Of a thousand that are read each has had its turn since the last time that the turns ended. */
    @Test
    void theTurnsOfThoseThatAreReadEnd() {
        List<Integer> tables = tables(1000);
        Set<Integer> since = new HashSet<>();
        int ended = 0;
        for (int round = 0; round < 60; round++) {
            round(tables, new HashSet<>(tables));
            since.addAll(looked);
            if (round >= 20 && turns.haveLookedAtAllRead()) {
                assertEquals(tables.size(), since.size());
                ended++;
            }
            if (turns.haveLookedAtAllRead()) {
                since.clear();
            }
        }
        assertEquals(8, ended);
    }

    @Test
    void tablesThatAreGoneAreFollowedBeforeAnyIsLookedAt() {
        round(tables(10), new HashSet<>(tables(10)));
        List<String> calls = new ArrayList<>();
        turns.next(() -> tables(4), all -> calls.add("follow " + all), table -> calls.add("look " + table));
        assertEquals(List.of("follow [0, 1, 2, 3]", "look 0", "look 1", "look 2", "look 3"), calls);
    }

    /** What is no longer looked at lets go of all tables, and begins again with those that there are then. */
    @Test
    void whatIsNotUsedLetsGo() {
        round(tables(1000), new HashSet<>(tables(1000)));
        turns.restUnlessUsed();
        round(tables(1000), new HashSet<>(tables(1000)));
        assertFalse(looked.isEmpty(), "it has been used since");
        turns.restUnlessUsed();
        turns.restUnlessUsed();
        round(tables(5), Set.of());
        assertEquals(tables(5), looked);
    }
}
