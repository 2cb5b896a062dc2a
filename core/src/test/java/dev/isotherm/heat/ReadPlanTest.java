// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/** The contents of a plan, and the cases without a plan. {@link ReadPlanOrderTest} tests the draws. */
class ReadPlanTest {
    private static final BalanceSettings LOCAL = BalanceSettings.defaults();
    private static final BalanceSettings AFFINITY = LOCAL.withPlacement(Placement.AFFINITY);

    static Heat[] misses(double... ratios) {
        return Arrays.stream(ratios).mapToObj(Heat::missRatio).toArray(Heat[]::new);
    }

    static Heat[] times(double... millis) {
        return Arrays.stream(millis)
                .mapToObj(ms -> Heat.readTimeNanos(ms * 1e6))
                .toArray(Heat[]::new);
    }

    @Provide
    Arbitrary<Group> groups() {
        return Group.withChoice();
    }

    /** The mean of all coordinators' rows is the row of a coordinator outside the group: the group's shares. */
    @Property(tries = 2000, seed = "41")
    void sharesOfAllCoordinatorsAverageToTheGroups(@ForAll("groups") Group group) {
        Heat[] heats = misses(group.misses);
        ReadPlan outside = ReadPlan.of(heats, group.k, -1, LOCAL);
        if (outside == null) {
            return;
        }
        double[] mean = new double[group.size()];
        for (int self = 0; self < group.size(); self++) {
            ReadPlan plan = ReadPlan.of(heats, group.k, self, LOCAL);
            double sum = 0;
            for (int i = 0; i < group.size(); i++) {
                mean[i] += plan.shareOf(i) / group.size();
                sum += plan.shareOf(i);
            }
            assertEquals(1, sum, 1e-9);
        }
        for (int i = 0; i < group.size(); i++) {
            assertEquals(outside.shareOf(i), mean[i], 1e-9);
        }
    }

    @Property(tries = 1000, seed = "42")
    void underAffinityEveryCoordinatorUsesTheGroupsShares(@ForAll("groups") Group group) {
        Heat[] heats = misses(group.misses);
        ReadPlan outside = ReadPlan.of(heats, group.k, -1, AFFINITY);
        for (int self = 0; self < group.size(); self++) {
            for (int i = 0; i < group.size(); i++) {
                assertEquals(
                        outside.shareOf(i),
                        ReadPlan.of(heats, group.k, self, AFFINITY).shareOf(i),
                        0);
            }
        }
    }

    @Test
    void thereIsNoPlanWhenHeatSaysNothing() {
        Heat[] unknown = misses(0.1, 0.5, 1);
        unknown[1] = null;
        Heat[] mixed = misses(0.1, 0.5, 1);
        mixed[2] = Heat.readTimeNanos(1e6);
        for (BalanceSettings settings : new BalanceSettings[] {LOCAL, AFFINITY}) {
            assertNull(ReadPlan.of(unknown, 1, 0, settings));
            assertNull(ReadPlan.of(new Heat[3], 1, 0, settings));
            assertNull(ReadPlan.of(mixed, 1, 0, settings));
            assertNull(ReadPlan.of(misses(0.5), 1, 0, settings));
            assertNull(ReadPlan.of(misses(0.1, 0.5, 1), 3, 0, settings));
            assertNull(ReadPlan.of(misses(0.1, 0.5, 1), 4, -1, settings));
        }
    }

    @Test
    void equalHeatMeansNoPlanLocallyAndEqualSharesUnderAffinity() {
        for (Heat[] equal : new Heat[][] {
            misses(0.3, 0.3, 0.3),
            misses(0.3, 0.32, 0.42),
            misses(0, 0.009, 0),
            times(3, 3, 3),
            times(0.1, 0.2, 0.4),
            times(6, 6.3, 6.6)
        }) {
            assertNull(ReadPlan.of(equal, 2, 0, LOCAL));
            ReadPlan plan = ReadPlan.of(equal, 2, 0, AFFINITY);
            for (int i = 0; i < 3; i++) {
                assertEquals(1 / 3.0, plan.shareOf(i), 0);
            }
        }
        assertNotNull(ReadPlan.of(misses(0.3, 0.3, 0.44), 2, 0, LOCAL));
        assertNotNull(ReadPlan.of(misses(0, 0.012, 0), 2, 0, LOCAL));
        assertNotNull(ReadPlan.of(times(6, 6, 9), 2, 0, LOCAL));
    }

    @Test
    void readTimesCountAsPartsOfTheSlowest() {
        ReadPlan plan = ReadPlan.of(times(2, 8, 4), 1, -1, LOCAL);
        // A replica that takes twice as long is contacted half as often.
        assertEquals(0.25, plan.shareOf(1) / plan.shareOf(0), 0.03);
        assertEquals(0.5, plan.shareOf(1) / plan.shareOf(2), 0.03);
    }

    @Test
    void aReadFasterThanAWarmOneIsNoWarmer() {
        ReadPlan plan = ReadPlan.of(times(0.02, 0.4, 5), 1, -1, LOCAL);
        assertEquals(plan.shareOf(0), plan.shareOf(1), 0);
        assertEquals(0.1, plan.shareOf(2) / plan.shareOf(0), 0.003);
    }

    @Test
    void missRatiosAreThoseOfTheHeats() {
        Heat[] heats = misses(0.2, 0.37, 1);
        ReadPlan plan = ReadPlan.of(heats, 1, -1, LOCAL);
        assertEquals(3, plan.size());
        assertEquals(1, plan.k());
        for (int i = 0; i < 3; i++) {
            assertEquals(heats[i].value(), plan.shareOf(2) / plan.shareOf(i), 1e-12);
        }
    }

    @Test
    void argumentsThatCannotBeAreRefusedByName() {
        Heat[] heats = misses(0.1, 0.5, 1);
        assertRefused("k is 0; allowed: 1 or above", heats, 0, 0, LOCAL);
        assertRefused("self is -2; allowed: -1 to 2", heats, 1, -2, LOCAL);
        assertRefused("self is 3; allowed: -1 to 2", heats, 1, 3, LOCAL);
        assertRefused("heats is empty; allowed: one heat or more", new Heat[0], 1, -1, LOCAL);
        assertRefused("heats is null; allowed: one heat or more", null, 1, -1, LOCAL);
        assertRefused("settings is null; allowed: settings", heats, 1, 0, null);
        assertTrue(ReadPlan.of(heats, 1, -1, LOCAL) != null);
    }

    private static void assertRefused(String message, Heat[] heats, int k, int self, BalanceSettings settings) {
        assertEquals(
                message,
                assertThrows(IllegalArgumentException.class, () -> ReadPlan.of(heats, k, self, settings))
                        .getMessage());
    }
}
