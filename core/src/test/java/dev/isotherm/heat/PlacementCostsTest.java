// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlacementCostsTest {
    private static final double MISS = 1000;
    private static final double MESSAGE = 30;
    /** Two of three replicas. */
    private static final PlacementCosts QUORUM = new PlacementCosts(2, 3, MISS, MESSAGE, 0.02);

    @Test
    void aRequestTakesAMessageMoreAsOftenAsItsCoordinatorIsNotDrawn() {
        assertEquals(10, QUORUM.messages(), 1e-9);
        assertEquals(20, new PlacementCosts(1, 3, MISS, MESSAGE, 0.02).messages(), 1e-9);
        assertEquals(0, new PlacementCosts(3, 3, MISS, MESSAGE, 0.02).messages());
    }

    @Test
    void withEquallyPopularPartitionsTheMostSavedIsWhatIsSaved() {
        // Two thirds cached: all of what affinity asks a node for.
        assertEquals(2 * MISS / 3, QUORUM.mostSaved(1 / 3.0), 1e-9);
        // Half cached: three quarters then. Instead of 2/2 misses a request 2/4.
        assertEquals(MISS / 2, QUORUM.mostSaved(0.5), 1e-9);
        assertEquals(0, QUORUM.mostSaved(0));
        assertEquals(0, QUORUM.mostSaved(1), "what is never read again is not cached anywhere");
        assertEquals(0, new PlacementCosts(3, 3, MISS, MESSAGE, 0.02).mostSaved(0.5), "all are contacted");
    }

    @Test
    void whatLocalWouldLoseIsAtMostWhatTheReadsAtRandomTell() {
        assertEquals(0, QUORUM.mostLost(0));
        assertEquals(2 * MISS * (0.05 - 0.001), QUORUM.mostLost(0.001), 1e-9);
        assertEquals(2 * MISS * (1 - 0.02), QUORUM.mostLost(0.02), 1e-9);
        PlacementCosts unknown = new PlacementCosts(2, 3, MISS, MESSAGE, 0);
        assertEquals(2 * MISS, unknown.mostLost(0), 1e-9, "without reads at random nothing is known");
    }

    @Test
    void contactsAreOneToAll() {
        assertEquals(0, new PlacementCosts(7, 3, MISS, MESSAGE, 0.02).messages());
        assertEquals(20, new PlacementCosts(0.2, 3, MISS, MESSAGE, 0.02).messages(), 1e-9);
    }

    @Test
    void whatIsNoNumberIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> new PlacementCosts(Double.NaN, 3, 1, 1, 0));
        assertThrows(IllegalArgumentException.class, () -> new PlacementCosts(1, 0, 1, 1, 0));
        assertThrows(IllegalArgumentException.class, () -> new PlacementCosts(1, 3, -1, 1, 0));
        assertThrows(IllegalArgumentException.class, () -> new PlacementCosts(1, 3, 1, Double.NaN, 0));
        assertThrows(IllegalArgumentException.class, () -> new PlacementCosts(1, 3, 1, 1, 2));
    }

    /**
     * Three nodes with caches that drop the least recently used row; both bounds hold of what really happens, whatever
     * the popularity and the size of the caches.
     */
    @ParameterizedTest
    @CsvSource({"0, 0.1", "0, 0.5", "0, 0.64", "0, 0.8", "0, 1", "0.6, 0.3", "0.6, 0.7", "1, 0.05", "1, 0.3", "1, 0.7"})
    void theBoundsHoldOfCaches(double zipf, double cached) {
        double local = missRatio(zipf, cached, false);
        double affinity = missRatio(zipf, cached, true);
        // By chance the measured ratios are off by some 0.5 %.
        double slack = 0.02 * MISS;
        double saved = QUORUM.saved(local, affinity);
        assertTrue(saved <= QUORUM.mostSaved(local) + slack, () -> saved + " saved by " + local + ", " + affinity);
        assertTrue(saved <= QUORUM.mostLost(affinity) + slack, () -> saved + " lost");
        if (zipf == 0) {
            assertEquals(saved, QUORUM.mostSaved(local), 0.06 * MISS, "equally popular: wandering takes the rest");
        }
    }

    private static double missRatio(double zipf, double cached, boolean affinity) {
        int partitions = 900;
        SplittableRandom random = new SplittableRandom(5);
        double[] cumulated = new double[partitions];
        double sum = 0;
        for (int i = 0; i < partitions; i++) {
            sum += Math.pow(i + 1, -zipf);
            cumulated[i] = sum;
        }
        List<Set<Integer>> caches = List.of(new LinkedHashSet<>(), new LinkedHashSet<>(), new LinkedHashSet<>());
        int reads = 0;
        int misses = 0;
        for (int request = 0; request < 120_000; request++) {
            int found = Arrays.binarySearch(cumulated, random.nextDouble() * sum);
            int partition = Math.min(partitions - 1, found < 0 ? -found - 1 : found);
            int left = affinity && random.nextDouble() >= 0.02 ? partition % 3 : random.nextInt(3);
            for (int node : new int[] {(left + 1) % 3, (left + 2) % 3}) {
                Set<Integer> cache = caches.get(node);
                boolean hit = cache.remove(partition);
                cache.add(partition);
                if (cache.size() > cached * partitions) {
                    cache.remove(cache.iterator().next());
                }
                reads += request >= 60_000 ? 1 : 0;
                misses += request >= 60_000 && !hit ? 1 : 0;
            }
        }
        return misses / (double) reads;
    }

    @Test
    void withoutContactsOrATimeOfMessagesNothingIsKnown() {
        assertNull(PlacementCosts.ifKnown(Double.NaN, 3, 1, 1, 0));
        assertNull(PlacementCosts.ifKnown(2, 3, 1, Double.NaN, 0));
        assertNull(PlacementCosts.ifKnown(2, 0, 1, 1, 0));
    }
}
