// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.common.AllocatedBytes;
import java.util.Arrays;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class HomeReplicasTest {
    private static final BalanceSettings LOCAL = BalanceSettings.defaults();
    private static final BalanceSettings AFFINITY = LOCAL.withPlacement(Placement.AFFINITY);

    private static TreeSet<Integer> homes(BalanceSettings settings, int replicas, int k, long token) {
        HomeReplicas homes = new HomeReplicas(settings);
        return IntStream.range(0, replicas)
                .filter(replica -> homes.contain(replicas, k, token, replica))
                .boxed()
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Whoever coordinates, and whatever the heats are, as long as they count as equal. */
    @Property(seed = "106")
    void underAffinityTheyAreThoseThatAReadContactsAtEqualHeat(
            @ForAll @IntRange(min = 2, max = 9) int replicas,
            @ForAll @IntRange(min = 1, max = 8) int k,
            @ForAll long token,
            @ForAll @IntRange(min = 0, max = 100) int percent) {
        Heat[] heats = new Heat[replicas];
        Arrays.fill(heats, Heat.missRatio(percent / 100.0));
        TreeSet<Integer> found = homes(AFFINITY, replicas, k, token);
        for (int self = -1; self < replicas; self++) {
            ReadPlan plan = ReadPlan.of(heats, k, self, AFFINITY);
            TreeSet<Integer> read = new TreeSet<>();
            if (plan == null) {
                IntStream.range(0, replicas).forEach(read::add);
            } else {
                int[] order = new int[replicas];
                plan.order(token, 0.999, 0.4, order);
                Arrays.stream(order, 0, k).forEach(read::add);
            }
            assertEquals(read, found);
        }
    }

    @Property(seed = "107")
    void underLocalAllAre(
            @ForAll @IntRange(min = 1, max = 9) int replicas,
            @ForAll @IntRange(min = 1, max = 9) int k,
            @ForAll long token) {
        assertEquals(replicas, homes(LOCAL, replicas, k, token).size());
    }

    @Property(tries = 20, seed = "108")
    void eachReplicaHasItsPartOfThePartitions(
            @ForAll @IntRange(min = 2, max = 9) int replicas, @ForAll @IntRange(min = 1, max = 8) int k) {
        HomeReplicas homes = new HomeReplicas(AFFINITY);
        double part = Math.min(1, (double) k / replicas);
        int tokens = 20_000;
        for (int each = 0; each < replicas; each++) {
            int replica = each;
            long own = IntStream.range(0, tokens)
                    .filter(token -> homes.contain(replicas, k, token, replica))
                    .count();
            // Six standard deviations of as many draws.
            double chance = 6 * Math.sqrt(part * (1 - part) / tokens);
            assertTrue(Math.abs((double) own / tokens - part) <= chance + 1e-9, own + " of " + tokens);
        }
    }

    @Test
    void withoutSettingsThereAreNone() {
        assertThrows(IllegalArgumentException.class, () -> new HomeReplicas(null));
    }

    @Test
    void anAnswerAllocatesNothing() {
        HomeReplicas homes = new HomeReplicas(AFFINITY);
        boolean[] found = {false};
        long bytes = AllocatedBytes.of(() -> {
            for (int token = 0; token < 20_000; token++) {
                int replicas = 2 + token % 63;
                found[0] ^= homes.contain(replicas, 1 + token % 70, token * 0x9E3779B97F4A7C15L, token % replicas);
            }
        });
        assertEquals(0, bytes, "bytes in 20,000 answers, with " + found[0]);
    }

    @Test
    void asManyContactsOrMoreThanThereAreReplicasReachAll() {
        HomeReplicas homes = new HomeReplicas(AFFINITY);
        assertTrue(homes.contain(OrderTable.MOST_REPLICAS, OrderTable.MOST_REPLICAS, 1, 0));
        assertTrue(homes.contain(3, Integer.MAX_VALUE, 1, 2));
    }

    @Test
    void numbersThatCannotBeAreRefused() {
        HomeReplicas homes = new HomeReplicas(AFFINITY);
        assertThrows(IllegalArgumentException.class, () -> homes.contain(0, 1, 0, 0));
        assertThrows(IllegalArgumentException.class, () -> homes.contain(OrderTable.MOST_REPLICAS + 1, 1, 0, 0));
        assertThrows(IllegalArgumentException.class, () -> homes.contain(3, 0, 0, 0));
    }
}
