// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import static dev.isotherm.heat.Standing.LEFT_OUT;
import static dev.isotherm.heat.Standing.USED;
import static dev.isotherm.heat.Standing.WARMED;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.statistics.Statistics;
import org.junit.jupiter.api.Test;

class AffineCostsTest {
    private static final BalanceSettings AFFINITY = BalanceSettings.defaults().withPlacement(Placement.AFFINITY);
    private static final double COLD_READ_SECONDS = AFFINITY.coldReadNanos() / 1e9;
    private static final Standing[] LAST_LEFT_OUT = {USED, USED, LEFT_OUT};

    @Provide
    Arbitrary<Group> groups() {
        return Group.withChoice();
    }

    private static Standing[] some(Group group) {
        Standing[] standings = new Standing[group.size()];
        Arrays.setAll(standings, i -> group.random.nextInt(3) == 0 ? LEFT_OUT : USED);
        return standings;
    }

    /** In parts of the highest, as plans have them. */
    private static double[] own(Heat[] heats) {
        double[] own = Arrays.stream(heats)
                .mapToDouble(heat -> ReplicaCosts.of(heat, AFFINITY))
                .toArray();
        double highest = Arrays.stream(own).max().getAsDouble();
        boolean areMisses = heats[0].kind() == Heat.Kind.MISS_RATIO;
        return areMisses ? own : Arrays.stream(own).map(cost -> cost / highest).toArray();
    }

    private static double[] costs(Heat[] heats, Standing[] standings, double requests, int k) {
        return AffineCosts.of(own(heats), heats, standings, requests, k, AFFINITY);
    }

    /** No cost is lowered, none of a replica that is used changes, and none passes that of one that costs more. */
    @Property(tries = 5000, seed = "101")
    void onlyWhoWasLeftOutCostsMore(
            @ForAll("groups") Group group,
            @ForAll @IntRange(min = 1, max = 3) int kind,
            @ForAll @DoubleRange(min = 0, max = 20000) double requests) {
        Heat[] heats = group.heats(kind);
        Standing[] standings = some(group);
        double[] own = own(heats);
        double[] costs = costs(heats, standings, requests, group.k);
        int raised = 0;
        for (int i = 0; i < costs.length; i++) {
            double cost = costs[i];
            double before = own[i];
            assertTrue(cost >= before, () -> before + " is lowered to " + cost);
            assertTrue(cost == before || standings[i] == LEFT_OUT, () -> "one in use is raised to " + cost);
            for (int j = 0; j < costs.length; j++) {
                boolean costsLess = standings[i] == standings[j] && before <= own[j];
                assertTrue(!costsLess || cost <= costs[j] * (1 + 1e-12), "one has passed another");
            }
            raised += cost > before ? 1 : 0;
        }
        Statistics.collect(raised > 0 ? "raised" : "none raised");
        Statistics.coverage(coverage -> coverage.check("raised").percentage(p -> p > 10));
    }

    /** Where their disks bear it, who was left out gets no more than the less costly half of the others. */
    @Property(tries = 3000, seed = "102")
    void whoWasLeftOutGetsNoMoreThanTheOthers(
            @ForAll("groups") Group group,
            @ForAll @IntRange(min = 1, max = 3) int kind,
            @ForAll @DoubleRange(min = 0.01, max = 0.79) double busy) {
        Heat[] heats = group.heats(kind);
        Standing[] standings = new Standing[heats.length];
        Arrays.fill(standings, USED);
        int leftOut = group.random.nextInt(heats.length);
        standings[leftOut] = LEFT_OUT;
        double[] sorted = new double[heats.length - 1];
        for (int i = 0, place = 0; i < heats.length; i++) {
            if (i != leftOut) {
                sorted[place++] = LeastShares.secondsOfDisk(heats[i], AFFINITY);
            }
        }
        Arrays.sort(sorted);
        double median = sorted[(sorted.length - 1) / 2];
        if (median == 0) {
            return;
        }
        double requests = busy * heats.length / (median * group.k);
        double[] shares = PlannedShares.of(heats, standings, requests, group.k);
        for (int i = 0; i < shares.length; i++) {
            double share = shares[i];
            if (i != leftOut && LeastShares.secondsOfDisk(heats[i], AFFINITY) <= median) {
                assertTrue(
                        Math.max(share, 1.0 / shares.length) >= shares[leftOut] - 1e-9,
                        () -> share + " and left out " + shares[leftOut]);
            }
        }
    }

    /** Where an equal share keeps the others' disks busy for longer, and where the requests are not known. */
    @Property(tries = 3000, seed = "103")
    void busyDisksShareByCost(@ForAll("groups") Group group) {
        Heat[] heats = group.heats(1);
        Standing[] standings = some(group);
        double[] sorted = new double[heats.length];
        int others = 0;
        for (int i = 0; i < heats.length; i++) {
            if (standings[i] == USED) {
                sorted[others++] = heats[i].value();
            }
        }
        assertArrayEquals(own(heats), costs(heats, standings, 0, group.k), 0);
        Arrays.sort(sorted, 0, others);
        double median = others == 0 ? 0 : sorted[(others - 1) / 2];
        if (median > 0) {
            double requests = 1.2001 * heats.length / (median * COLD_READ_SECONDS * group.k);
            assertArrayEquals(own(heats), costs(heats, standings, requests, group.k), 0);
        }
    }

    /** The two others have cached the partitions of the one that was left out, too, and miss more than it does. */
    @Test
    void oneThatKeptItsRowsGetsNoOthers() {
        Heat[] heats = {Heat.missRatio(0.33), Heat.missRatio(0.33), Heat.missRatio(0.1)};
        double third = 1 / 3.0;
        double[] shares = PlannedShares.of(heats, LAST_LEFT_OUT, 300, 2);
        assertArrayEquals(new double[] {third, third, third}, shares, 1e-9);
        assertTrue(PlannedShares.of(heats, 300, 2)[2] > 0.4, "one that always missed less gets more");
        Heat[] two = {Heat.missRatio(0.33), Heat.missRatio(0.1)};
        Standing[] ofTwo = {USED, LEFT_OUT};
        assertArrayEquals(new double[] {0.5, 0.5}, PlannedShares.of(two, ofTwo, 100, 1), 1e-9);
    }

    /** One that is cold gets as little as by its cost, whether it was left out or is being warmed. */
    @Test
    void aColdOneGetsAsFewAsByCost() {
        Heat[] heats = {Heat.missRatio(0.33), Heat.missRatio(0.33), Heat.missRatio(1)};
        assertArrayEquals(PlannedShares.of(heats, 300, 2), PlannedShares.of(heats, LAST_LEFT_OUT, 300, 2), 1e-12);
        Standing[] warmed = {LEFT_OUT, USED, WARMED};
        Heat[] kept = {Heat.missRatio(0.1), Heat.missRatio(0.33), Heat.missRatio(1)};
        double[] shares = PlannedShares.of(kept, warmed, 100, 2);
        assertEquals(shares[1], shares[0], 1e-9);
        assertTrue(shares[2] < 0.05, "it is spared as ever");
    }

    /** Between disks that bear it and disks that do not, a cost is raised by a power of what it is less. */
    @Test
    void theBusierTheOthersTheMoreItServes() {
        Heat[] heats = {Heat.missRatio(0.33), Heat.missRatio(0.33), Heat.missRatio(0.1)};
        double requestsOfFullDisks = heats.length / (heats[0].value() * COLD_READ_SECONDS * 2);
        double between = costs(heats, LAST_LEFT_OUT, requestsOfFullDisks, 2)[2];
        assertEquals(Math.sqrt(heats[0].value() * heats[2].value()), between, 1e-9);
        assertEquals(heats[0].value(), costs(heats, LAST_LEFT_OUT, 0.79 * requestsOfFullDisks, 2)[2], 1e-12);
        assertEquals(heats[2].value(), costs(heats, LAST_LEFT_OUT, 1.21 * requestsOfFullDisks, 2)[2], 1e-12);
    }

    @Test
    void allLeftOutShareByCost() {
        Heat[] heats = {Heat.missRatio(0.33), Heat.missRatio(0.33), Heat.missRatio(0.1)};
        Standing[] all = {LEFT_OUT, LEFT_OUT, LEFT_OUT};
        assertArrayEquals(PlannedShares.of(heats, 300, 2), PlannedShares.of(heats, all, 300, 2), 0);
    }
}
