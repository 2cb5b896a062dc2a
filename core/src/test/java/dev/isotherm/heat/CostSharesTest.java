// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.DoubleRange;
import org.junit.jupiter.api.Test;

/** The shares by what a read costs: max(what a hit takes, misses per read times what a miss takes). */
class CostSharesTest {
    private static final BalanceSettings AFFINITY = BalanceSettings.defaults().withPlacement(Placement.AFFINITY);

    @Provide
    Arbitrary<Group> groups() {
        return Group.withChoice();
    }

    private static Heat[] costs(double[] misses, double[] missNanos, double hitNanos) {
        Heat[] heats = new Heat[misses.length];
        Arrays.setAll(heats, i -> Heat.costNanos(Math.max(hitNanos, misses[i] * missNanos[i])));
        return heats;
    }

    private static double[] shares(Heat[] heats, int k) {
        ReadPlan plan = ReadPlan.of(heats, k, -1, AFFINITY);
        double[] shares = new double[heats.length];
        Arrays.setAll(shares, plan::shareOf);
        return shares;
    }

    /** The rule by miss ratios with a floor of hit/miss, exactly; only the grid of what nodes tell lies in between. */
    @Property(tries = 2000, seed = "71")
    void withEqualDisksTheyAreTheSharesByMisses(
            @ForAll("groups") Group group, @ForAll @DoubleRange(min = 0.06, max = 0.9) double hitToMiss) {
        double missNanos = 8e6;
        double[] costs = Arrays.stream(group.misses)
                .map(miss -> Math.max(hitToMiss, miss))
                .toArray();
        double highest = Arrays.stream(costs).max().getAsDouble();
        double[] relative = Arrays.stream(costs).map(cost -> cost / highest).toArray();
        double[] byMisses = Shares.of(group.misses, group.k, hitToMiss);
        assertArrayEquals(byMisses, Shares.of(relative, group.k, 0.05), 1e-12);

        double[] each = new double[group.size()];
        Arrays.fill(each, missNanos);
        double[] told = shares(costs(group.misses, each, hitToMiss * missNanos), group.k);
        for (int i = 0; i < told.length; i++) {
            // A cost is off by 2.8 % on the grid, and those within three tenths of the highest count as equal: a
            // share is then off by three sevenths at most.
            assertEquals(byMisses[i], told[i], 0.47 * byMisses[i]);
        }
    }

    @Test
    void aHalfSpeedDiskGetsHalf() {
        double[] told = shares(costs(new double[] {0.3, 0.3, 0.3}, new double[] {4e6, 4e6, 8e6}, 2e5), 1);
        assertArrayEquals(new double[] {0.4, 0.4, 0.2}, told, 0.01);
    }

    /** A replica whose reads cost more gets no larger a share. */
    @Property(tries = 2000, seed = "72")
    void aHigherCostNeverRaisesTheShare(
            @ForAll("groups") Group group, @ForAll @DoubleRange(min = 1, max = 100) double times) {
        double[] missNanos = new double[group.size()];
        Arrays.fill(missNanos, 4e6);
        double before = shares(costs(group.misses, missNanos, 2e5), group.k)[0];
        missNanos[0] *= times;
        double after = shares(costs(group.misses, missNanos, 2e5), group.k)[0];
        // Costs within three tenths become equal: that may lift a share by three sevenths.
        assertTrue(after <= before * 1.43, () -> before + " became " + after);
        if (times > 1.5) {
            assertTrue(after <= before * 1.0001 || group.misses[0] * times < 0.2, () -> before + " became " + after);
        }
    }

    /** The floor bounds what the most expensive replica gets, however expensive it is. */
    @Test
    void noReplicaIsStarved() {
        double[] told = shares(costs(new double[] {0, 0, 1}, new double[] {1e6, 1e6, 1e10}, 1e5), 1);
        assertArrayEquals(new double[] {20 / 41.0, 20 / 41.0, 1 / 41.0}, told, 1e-9);
    }

    @Test
    void costsOfEqualNodesCountAsEqual() {
        Heat[] heats = {Heat.costNanos(1e6), Heat.costNanos(1.1e6), Heat.costNanos(1e6)};
        assertNull(ReadPlan.of(heats, 2, 0, BalanceSettings.defaults()));
        heats[1] = Heat.costNanos(1.5e6);
        assertNotNull(ReadPlan.of(heats, 2, 0, BalanceSettings.defaults()));
    }

    @Test
    void nodesThatTellDifferentKindsKeepTheOperatorsOrder() {
        Heat[] heats = {Heat.costNanos(1e6), Heat.readTimeNanos(9e6), Heat.costNanos(1e6)};
        assertNull(ReadPlan.of(heats, 2, 0, AFFINITY));
    }
}
