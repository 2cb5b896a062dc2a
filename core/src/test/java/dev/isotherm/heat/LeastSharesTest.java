// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class LeastSharesTest {
    private static final BalanceSettings SETTINGS = BalanceSettings.defaults();
    private static final BalanceSettings AFFINITY = SETTINGS.withPlacement(Placement.AFFINITY);

    @Provide
    Arbitrary<Group> groups() {
        return Group.withChoice();
    }

    private static double seconds(Heat heat) {
        return heat.kind() == Heat.Kind.MISS_RATIO
                ? 0.01 * heat.value()
                : Math.max(heat.kind() == Heat.Kind.READ_TIME ? 5e-4 : 0, heat.value() / 1e9);
    }

    /** What a replica gets beyond its share by cost keeps half of its disk busy, and is no more than an equal share. */
    @Property(tries = 5000, seed = "91")
    void nobodyIsRaisedAboveWhatHalfOfItsDiskBears(
            @ForAll("groups") Group group,
            @ForAll @IntRange(min = 1, max = 3) int kind,
            @ForAll @DoubleRange(min = 0.1, max = 20000) double requests) {
        Heat[] heats = group.heats(kind);
        double[] byCost = PlannedShares.of(heats, 0, group.k);
        double[] raised = PlannedShares.of(heats, requests, group.k);
        for (int i = 0; i < raised.length; i++) {
            double busy = raised[i] * group.k * requests * seconds(heats[i]);
            double share = raised[i];
            assertTrue(
                    share <= byCost[i] + 1e-12 || busy <= 0.5 + 1e-9 && share <= 1.0 / raised.length + 1e-12,
                    () -> share + " keeps a disk busy for " + busy);
        }
    }

    /**
     * Who misses more gets what half of its disk bears, up to an equal share or that with which half as many of its
     * reads miss as if it had an equal share and were empty; by times up to half of an equal share, or an equal one
     * where its reads count as warm.
     */
    @Property(tries = 5000, seed = "92")
    void nobodyGetsLessThanHalfOfItsDiskBears(
            @ForAll("groups") Group group,
            @ForAll @IntRange(min = 1, max = 3) int kind,
            @ForAll @DoubleRange(min = 0.1, max = 20000) double requests) {
        Heat[] heats = group.heats(kind);
        double[] raised = PlannedShares.of(heats, requests, group.k);
        for (int i = 0; i < raised.length; i++) {
            double share = raised[i];
            double ofEqual = kind == 1 ? 0.5 / heats[i].value() : Math.max(0.5, 5e5 / heats[i].value());
            double most = Math.min(1, ofEqual) / raised.length;
            double busy = share * group.k * requests * seconds(heats[i]);
            assertTrue(share >= most - 1e-9 || busy >= 0.5 - 1e-9, () -> share + " keeps a disk busy for " + busy);
        }
    }

    /** However few requests there are: raising one cold replica makes no more than half of them wait for a miss. */
    @Property(tries = 3000, seed = "94")
    void theMedianStaysThatOfAHit(
            @ForAll @IntRange(min = 2, max = 9) int nodes,
            @ForAll @IntRange(min = 0, max = 255) int code,
            @ForAll @DoubleRange(min = 0.01, max = 20000) double requests) {
        Heat[] heats = new Heat[nodes];
        Arrays.fill(heats, Heat.missRatio(0));
        heats[nodes - 1] = Heat.ofCodes(1, code);
        for (int k = 1; k < nodes; k++) {
            double waiting = k * PlannedShares.of(heats, requests, k)[nodes - 1] * heats[nodes - 1].value();
            assertTrue(waiting < 0.5 + 1e-9, () -> waiting + " of the requests wait");
        }
    }

    /** Where shares by cost keep every disk at least half busy, they stay. */
    @Property(tries = 3000, seed = "93")
    void busyDisksGetTheirSharesByCost(@ForAll("groups") Group group, @ForAll @IntRange(min = 1, max = 3) int kind) {
        Heat[] heats = group.heats(kind);
        double[] byCost = PlannedShares.of(heats, 0, group.k);
        double needed = 0;
        for (int i = 0; i < byCost.length; i++) {
            needed = Math.max(needed, 0.5 / (byCost[i] * group.k * seconds(heats[i])));
        }
        if (needed < 1e300) {
            assertArrayEquals(byCost, PlannedShares.of(heats, needed * 1.0001, group.k), 1e-12);
        }
    }

    @Test
    void aColdNodeBesideWarmOnesGetsFiftyReadsASecond() {
        Heat[] heats = {Heat.missRatio(0), Heat.missRatio(0), Heat.missRatio(1)};
        // 400 contacts a second for its groups: by the floor it would get 10 of them.
        double[] shares = PlannedShares.of(heats, 200, 2);
        assertEquals(50, shares[2] * 400, 1e-9);
        assertEquals(shares[0], shares[1], 0);
        assertEquals(1 / 6.0, PlannedShares.of(heats, 50, 2)[2], 1e-12, "with few requests a third of them contact it");
        heats[2] = Heat.missRatio(0.48);
        assertEquals(
                1 / 3.0,
                PlannedShares.of(heats, 50, 2)[2],
                1e-12,
                "when half as many of them wait, all share them equally");
        heats[2] = Heat.missRatio(1);
        assertEquals(1 / 41.0, PlannedShares.of(heats, 4000, 2)[2], 1e-12, "with many the floor gives it more");
    }

    /** A process that has just started takes longer for a read from memory, and its processors have little to do. */
    @Test
    void whoseReadsCountAsWarmHasAnEqualShareWhereItBearsThat() {
        Heat[] heats = {Heat.costNanos(90_000), Heat.costNanos(90_000), Heat.costNanos(450_000)};
        assertArrayEquals(new double[] {1 / 3.0, 1 / 3.0, 1 / 3.0}, PlannedShares.of(heats, 150, 2), 1e-12);
        assertEquals(
                0.5,
                PlannedShares.of(heats, 2500, 2)[2] * 2 * 2500 * heats[2].value() / 1e9,
                1e-9,
                "half of what it bears");
        assertArrayEquals(
                PlannedShares.of(heats, 0, 2), PlannedShares.of(heats, 50_000, 2), 1e-12, "busy nodes share by cost");
        heats[2] = Heat.costNanos(700_000);
        assertEquals(
                5e5 / heats[2].value() / 3,
                PlannedShares.of(heats, 150, 2)[2],
                1e-12,
                "between warm and twice as much");
    }

    @Test
    void aPlanHoldsUntilTheRequestsHaveChangedByAQuarter() {
        Heat[] heats = {Heat.missRatio(0), Heat.missRatio(0), Heat.missRatio(1)};
        ReadPlan plan = ReadPlan.of(heats, new RequestRate[3], Standing.used(3), () -> 100, 2, -1, AFFINITY);
        assertTrue(plan.holdsFor(() -> 125) && plan.holdsFor(() -> 80));
        assertFalse(plan.holdsFor(() -> 126) || plan.holdsFor(() -> 79) || plan.holdsFor(() -> 0));
        assertTrue(ReadPlan.of(heats, 2, -1, AFFINITY).holdsFor(() -> 0), "neither is known");
        assertFalse(ReadPlan.of(heats, 2, -1, AFFINITY).holdsFor(() -> 1));
        heats[2] = heats[0];
        assertTrue(ReadPlan.of(heats, 2, -1, AFFINITY).holdsFor(() -> 1000), "equal shares do not depend on them");
    }

    @Test
    void aSlowDiskGetsHalfOfAnEqualShareAtMost() {
        Heat[] heats = {Heat.costNanos(1e6), Heat.costNanos(1e6), Heat.costNanos(2e7)};
        assertEquals(1 / 6.0, PlannedShares.of(heats, 10, 1)[2], 1e-12);
        Heat[] lessSlow = {Heat.costNanos(1e6), Heat.costNanos(1e6), Heat.costNanos(2e6)};
        assertArrayEquals(PlannedShares.of(lessSlow, 0, 1), PlannedShares.of(lessSlow, 10, 1), 1e-15);
    }
}
