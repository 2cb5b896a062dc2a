// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class ReplicaRanksTest {
    @Provide
    Arbitrary<int[]> ranks() {
        return Arbitraries.integers()
                .between(0, 20)
                .map(number -> number / 3 * ReplicaRanks.AVOIDED + (number < 3 || number > 11 ? 0 : number % 3))
                .array(int[].class)
                .ofMaxSize(12);
    }

    /** Beside a stable sort: every replica once, in its old order where rank and tie are equal. */
    @Property(tries = 3_000, seed = "57")
    void isTheStableSortByRank(@ForAll("ranks") int[] ranks, @ForAll long tied) {
        int[] ties = IntStream.range(0, ranks.length)
                .map(place -> 1 + (int) (tied >>> 2 * place & 3))
                .toArray();
        int[] unchanged = IntStream.range(0, ranks.length).toArray();
        int[] sorted = Arrays.stream(unchanged)
                .boxed()
                .sorted(Comparator.<Integer>comparingInt(place -> ranks[place]).thenComparing(place -> ties[place]))
                .mapToInt(place -> place)
                .toArray();
        int[] places = new int[ranks.length];
        Arrays.fill(places, -1);
        boolean moved = ReplicaRanks.order(ranks, ties, places);
        assertArrayEquals(sorted, places);
        assertEquals(!Arrays.equals(unchanged, sorted), moved);
    }

    /** Those of this datacenter come in the order of their ranks, as if there were no others. */
    @Property(tries = 3_000, seed = "58")
    void noneFromAfarPassesOneOfWhichSomeReadsAreLate(@ForAll("ranks") int[] ranks, @ForAll long far) {
        int[] raised = ranks.clone();
        int[] ties = new int[ranks.length];
        ReplicaRanks.keepFarBehind(raised, ties, place -> isFar(far, place));
        int[] order = new int[ranks.length];
        ReplicaRanks.order(raised, ties, order);
        List<Integer> places = Arrays.stream(order).boxed().collect(Collectors.toList());
        for (int place = 0; place < ranks.length; place++) {
            assertTrue(raised[place] >= ranks[place]);
            if (!isFar(far, place)) {
                assertEquals(ranks[place], raised[place]);
                for (int later = place + 1; later < ranks.length; later++) {
                    boolean mayPass = !isFar(far, later) || ranks[place] >= ReplicaRanks.MOST_AVOIDED;
                    assertTrue(
                            mayPass || places.indexOf(place) < places.indexOf(later),
                            () -> places + " of " + Arrays.toString(ranks));
                }
            } else if (ranks[place] < ReplicaRanks.MOST_AVOIDED) {
                assertTrue(raised[place] < ReplicaRanks.MOST_AVOIDED, "it still passes silent ones");
            }
        }
    }

    /** The last of three of either datacenter is avoided, and the first of the others. */
    @Test
    void thoseFromAfarStayInTheOrderOfTheirOwnRanks() {
        int[] ranks = {0, 0, 3, 3, 0, 0};
        int[] ties = new int[ranks.length];
        ReplicaRanks.keepFarBehind(ranks, ties, place -> place > 2);
        int[] places = new int[ranks.length];
        assertTrue(ReplicaRanks.order(ranks, ties, places));
        assertArrayEquals(new int[] {0, 1, 2, 4, 5, 3}, places);
    }

    @Test
    void oneOfThisDatacenterPassesNoneFromAfarThatIsAvoidedAsIt() {
        int[] ranks = {3, 0, 3, 0};
        int[] ties = new int[ranks.length];
        ReplicaRanks.keepFarBehind(ranks, ties, place -> place % 2 == 1);
        int[] places = new int[ranks.length];
        assertFalse(ReplicaRanks.order(ranks, ties, places));
        assertArrayEquals(new int[] {0, 1, 2, 3}, places);
    }

    private static boolean isFar(long far, int place) {
        return (far >>> place & 1) == 1;
    }

    @Test
    void theDeadComeLastWhateverElseIsWrong() {
        int[] places = new int[4];
        assertTrue(ReplicaRanks.order(
                new int[] {ReplicaRanks.DEAD, ReplicaRanks.OUT, ReplicaRanks.AVOIDED, ReplicaRanks.USED},
                new int[4],
                places));
        assertArrayEquals(new int[] {3, 2, 1, 0}, places);
    }

    @Test
    void whereAllAreAvoidedNothingMoves() {
        int[] places = new int[3];
        assertFalse(ReplicaRanks.order(
                new int[] {ReplicaRanks.AVOIDED, ReplicaRanks.AVOIDED, ReplicaRanks.AVOIDED}, new int[3], places));
        assertArrayEquals(new int[] {0, 1, 2}, places);
    }
}
