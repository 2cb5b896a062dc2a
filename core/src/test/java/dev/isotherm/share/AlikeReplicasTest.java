// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.share;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class AlikeReplicasTest {
    @Provide
    Arbitrary<int[]> ranks() {
        return Arbitraries.integers()
                .between(0, 3)
                .array(int[].class)
                .ofMaxSize(12)
                .map(ranks -> Arrays.stream(ranks).sorted().toArray());
    }

    /** Each replica once, and none before one that is better. */
    @Property(tries = 2_000, seed = "58")
    void noReplicaComesBeforeABetterOne(@ForAll("ranks") int[] ranks, @ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int[] places = new int[ranks.length];
        Arrays.fill(places, -1);
        boolean moved = AlikeReplicas.shuffle(at -> ranks[at] == ranks[at + 1], random::nextInt, places);
        int[] unchanged = IntStream.range(0, ranks.length).toArray();
        assertArrayEquals(unchanged, Arrays.stream(places).sorted().toArray());
        assertArrayEquals(ranks, Arrays.stream(places).map(at -> ranks[at]).toArray());
        assertEquals(!Arrays.equals(unchanged, places), moved);
    }

    /** The coordinator keeps the first place; of four others each is second as often. */
    @Test
    void eachOrderOfThoseThatAreAlikeIsAsLikely() {
        SplittableRandom random = new SplittableRandom(5);
        int[] seconds = new int[5];
        int[] places = new int[5];
        for (int i = 0; i < 40_000; i++) {
            AlikeReplicas.shuffle(at -> at > 0, random::nextInt, places);
            assertEquals(0, places[0]);
            seconds[places[1]]++;
        }
        // Five standard deviations of a binomial count.
        for (int other = 1; other < 5; other++) {
            assertEquals(10_000, seconds[other], 433);
        }
    }

    @Test
    void whereEachIsBetterThanTheNextNothingMoves() {
        int[] places = new int[4];
        assertFalse(AlikeReplicas.shuffle(at -> false, bound -> 0, places));
        assertArrayEquals(new int[] {0, 1, 2, 3}, places);
        assertFalse(AlikeReplicas.shuffle(at -> true, bound -> 0, new int[0]));
    }
}
