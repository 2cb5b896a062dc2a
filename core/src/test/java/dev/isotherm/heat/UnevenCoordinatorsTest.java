// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/** Clients use some nodes more than others as coordinators; the replicas serve the shares of the group all the same. */
class UnevenCoordinatorsTest {
    private static final BalanceSettings LOCAL = BalanceSettings.defaults();
    private static final BalanceSettings AFFINITY = LOCAL.withPlacement(Placement.AFFINITY);

    @Provide
    Arbitrary<Group> groups() {
        return Group.withChoice();
    }

    private static RequestRate[] rates(double... perSecond) {
        return Arrays.stream(perSecond).mapToObj(RequestRate::perSecond).toArray(RequestRate[]::new);
    }

    /** The fraction of all contacts that each replica serves, with these requests per second at each of them. */
    private static double[] served(
            Heat[] heats, RequestRate[] told, int k, double[] requests, BalanceSettings settings) {
        double[] served = new double[heats.length];
        double all = Arrays.stream(requests).sum();
        for (int self = 0; self < heats.length; self++) {
            ReadPlan plan = ReadPlan.of(heats, told, Standing.used(heats.length), () -> 0, k, self, settings);
            for (int replica = 0; replica < heats.length; replica++) {
                // Without a plan: itself first, then along the ring, as the snitches of Cassandra do.
                int distance = Math.floorMod(replica - self, heats.length);
                double share = plan != null ? plan.shareOf(replica) : distance < k ? 1.0 / k : 0;
                served[replica] += requests[self] / all * share;
            }
        }
        return served;
    }

    @Property(tries = 2000, seed = "61")
    void everyReplicaServesItsShareWhoeverCoordinates(@ForAll("groups") Group group, @ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        RequestRate[] told = new RequestRate[group.size()];
        double[] requests = new double[group.size()];
        for (int i = 0; i < told.length; i++) {
            told[i] = RequestRate.ofCode(1 + (random.nextInt(4) == 0 ? 0 : random.nextInt(120)));
            requests[i] = told[i].perSecond();
        }
        Heat[] heats = ReadPlanTest.misses(group.misses);
        ReadPlan outside = ReadPlan.of(heats, told, Standing.used(heats.length), () -> 0, group.k, -1, LOCAL);
        if (outside == null || Arrays.stream(requests).sum() == 0) {
            return;
        }
        double[] served = served(heats, told, group.k, requests, LOCAL);
        for (int i = 0; i < served.length; i++) {
            assertEquals(outside.shareOf(i), served[i], 1e-9);
        }
    }

    @Test
    void equallyWarmNodesServeEquallyMuchAlthoughOneCoordinatesNothing() {
        double[] requests = {150, 150, 0};
        for (Heat[] heats : new Heat[][] {
            ReadPlanTest.misses(0.3, 0.3, 0.3),
            ReadPlanTest.times(4.8, 4.8, 4.8),
            ReadPlanTest.misses(0, 0, 0),
            ReadPlanTest.times(0.1, 0.2, 0.1)
        }) {
            for (BalanceSettings settings : new BalanceSettings[] {LOCAL, AFFINITY}) {
                for (double share : served(heats, rates(requests), 2, requests, settings)) {
                    assertEquals(1 / 3.0, share, 1e-9, () -> heats[0] + ", " + settings.placement());
                }
            }
        }
    }

    /** A rate is told again when it is off by 12 %, to the nearest step of the grid. */
    @Property(tries = 2000, seed = "62")
    void ratesThatAreNotQuiteRightKeepTheSharesWithinATenth(@ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        double[] requests = new double[3];
        RequestRate[] told = new RequestRate[3];
        for (int i = 0; i < 3; i++) {
            requests[i] = random.nextInt(3) == 0 ? 0 : 20 + 180 * random.nextDouble();
            told[i] = RequestRate.perSecond(requests[i] * Math.pow(1.12, 2 * random.nextDouble() - 1));
        }
        if (Arrays.stream(requests).sum() == 0) {
            return;
        }
        for (double share : served(ReadPlanTest.misses(0.3, 0.3, 0.3), told, 2, requests, LOCAL)) {
            assertEquals(
                    1 / 3.0, share, 0.1 / 3, () -> Arrays.toString(requests) + " told as " + Arrays.toString(told));
        }
    }

    @Test
    void aColdNodeThatNobodyUsesAsCoordinatorIsRead() {
        double[] requests = {150, 150, 0};
        Heat[] heats = ReadPlanTest.misses(0.3, 0.3, 1);
        double cold = served(heats, rates(requests), 2, requests, LOCAL)[2];
        assertEquals(0.3 / 2.3, cold, 0.005);
        assertEquals(0, served(heats, new RequestRate[3], 2, requests, LOCAL)[2], 0.05);
    }

    @Test
    void equalHeatsAndAboutEqualRatesKeepTheOperatorsOrder() {
        Heat[] heats = ReadPlanTest.misses(0.3, 0.3, 0.3);
        assertNull(ReadPlan.of(heats, rates(100, 90, 115), Standing.used(heats.length), () -> 0, 2, 0, LOCAL));
        assertNull(ReadPlan.of(heats, rates(0, 0, 0), Standing.used(heats.length), () -> 0, 2, 0, LOCAL));
        assertNotNull(ReadPlan.of(heats, rates(100, 100, 40), Standing.used(heats.length), () -> 0, 2, 0, LOCAL));
    }

    @Test
    void oneUnknownRateMakesAllEqual() {
        RequestRate[] told = rates(500, 100, 1);
        told[1] = null;
        Heat[] heats = ReadPlanTest.misses(0.1, 0.3, 0.5);
        for (int self = -1; self < 3; self++) {
            for (int replica = 0; replica < 3; replica++) {
                assertEquals(
                        ReadPlan.of(heats, 2, self, LOCAL).shareOf(replica),
                        ReadPlan.of(heats, told, Standing.used(heats.length), () -> 0, 2, self, LOCAL)
                                .shareOf(replica),
                        0);
            }
        }
    }

    @Test
    void aWrongNumberOfRatesIsRefused() {
        Heat[] heats = ReadPlanTest.misses(0.1, 0.3, 0.5);
        IllegalArgumentException refused = assertThrows(
                IllegalArgumentException.class,
                () -> ReadPlan.of(heats, rates(1, 1), Standing.used(heats.length), () -> 0, 2, 0, LOCAL));
        assertTrue(refused.getMessage().contains("rates is 2 rates"), refused::getMessage);
    }
}
