// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SharesTest {
    private static final double FLOOR = 0.05;

    @Provide
    Arbitrary<Group> groups() {
        return Group.any();
    }

    @Property(tries = 5000, seed = "11")
    void sumToOneWithinTheLimit(@ForAll("groups") Group group) {
        double[] shares = Shares.of(group.misses, group.k, FLOOR);
        assertEquals(1, Arrays.stream(shares).sum(), 1e-12);
        for (double share : shares) {
            assertTrue(share > 0 && share <= 1.0 / group.k + 1e-15);
        }
    }

    /** Replicas below the limit have equal misses; replicas at the limit have fewer. */
    @Property(tries = 5000, seed = "12")
    void missEquallyOftenExceptAtTheLimit(@ForAll("groups") Group group) {
        double[] shares = Shares.of(group.misses, group.k, FLOOR);
        double missesPerContact = 0;
        for (int i = 0; i < shares.length; i++) {
            missesPerContact = Math.max(missesPerContact, shares[i] * Math.max(FLOOR, group.misses[i]));
        }
        for (int i = 0; i < shares.length; i++) {
            if (shares[i] < 1.0 / group.k - 1e-12) {
                assertEquals(missesPerContact, shares[i] * Math.max(FLOOR, group.misses[i]), 1e-12);
            }
        }
    }

    /** The same equation, solved by bisection of lambda. */
    @Property(tries = 2000, seed = "13")
    void agreeWithBisection(@ForAll("groups") Group group) {
        double low = 0;
        double high = 2;
        for (int step = 0; step < 200; step++) {
            double middle = (low + high) / 2;
            if (Arrays.stream(sharesAt(middle, group)).sum() < 1) {
                low = middle;
            } else {
                high = middle;
            }
        }
        assertArrayEquals(sharesAt(high, group), Shares.of(group.misses, group.k, FLOOR), 1e-12);
    }

    /** With a least and a most of each, too: the only shares between the bounds that are proportional elsewhere. */
    @Property(tries = 5000, seed = "16")
    void withBoundsAgreeWithBisection(@ForAll("groups") Group group) {
        double[] most = new double[group.size()];
        // The first k may have all, so that the sum of one is within the bounds.
        Arrays.setAll(most, i -> (i < group.k || group.random.nextBoolean() ? 1 : group.random.nextDouble()) / group.k);
        double[] least = new double[group.size()];
        Arrays.setAll(
                least,
                i -> Math.min(most[i], group.random.nextInt(3) * 0.5 * group.random.nextDouble() / least.length));
        double low = 0;
        double high = 2;
        for (int step = 0; step < 200; step++) {
            double middle = (low + high) / 2;
            if (Arrays.stream(sharesAt(middle, group, least, most)).sum() < 1) {
                low = middle;
            } else {
                high = middle;
            }
        }
        double[] shares = Shares.of(group.misses, group.k, FLOOR, least, most);
        assertArrayEquals(sharesAt(high, group, least, most), shares, 1e-12);
        assertEquals(1, Arrays.stream(shares).sum(), 1e-12);
    }

    private static double[] sharesAt(double lambda, Group group, double[] least, double[] most) {
        double[] shares = sharesAt(lambda, group);
        Arrays.setAll(shares, i -> Math.max(least[i], Math.min(most[i], shares[i])));
        return shares;
    }

    private static double[] sharesAt(double lambda, Group group) {
        return Arrays.stream(group.misses)
                .map(miss -> Math.min(1.0 / group.k, lambda / Math.max(FLOOR, miss)))
                .toArray();
    }

    @Property(tries = 2000, seed = "14")
    void doNotDependOnTheOrder(@ForAll("groups") Group group) {
        int n = group.size();
        double[] shares = Shares.of(group.misses, group.k, FLOOR);
        double[] reversed = new double[n];
        for (int i = 0; i < n; i++) {
            reversed[i] = group.misses[n - 1 - i];
        }
        double[] back = Shares.of(reversed, group.k, FLOOR);
        for (int i = 0; i < n; i++) {
            assertEquals(shares[i], back[n - 1 - i], 1e-15);
        }
    }

    @Property(tries = 2000, seed = "15")
    void ofEqualRatiosAreExactlyEqual(@ForAll("groups") Group group) {
        double[] shares = Shares.of(group.misses, group.k, FLOOR);
        for (int i = 0; i < shares.length; i++) {
            for (int j = 0; j < i; j++) {
                if (Math.max(FLOOR, group.misses[i]) == Math.max(FLOOR, group.misses[j])) {
                    assertEquals(shares[i], shares[j], 0);
                }
            }
        }
    }

    @Test
    void aNodeMissingTwiceAsOftenGetsHalf() {
        assertArrayEquals(new double[] {0.4, 0.4, 0.2}, Shares.of(new double[] {0.3, 0.3, 0.6}, 1, FLOOR), 1e-15);
    }

    @Test
    void oneHotNodeAmongColdOnesGetsNoMoreThanHalfOfTwoContacts() {
        assertArrayEquals(new double[] {0.5, 0.25, 0.25}, Shares.of(new double[] {0.1, 0.99, 0.99}, 2, FLOOR), 1e-15);
    }

    @Test
    void clippingOneShareMayLiftTheNextOverTheLimit() {
        // Proportional to 20, 10, 1, 1 (k = 2): 0.625 is clipped, and the next share would be 10/12 of the rest.
        double[] shares = Shares.of(new double[] {0.05, 0.1, 1, 1}, 2, FLOOR);
        assertArrayEquals(new double[] {0.5, 0.5 * 10 / 12, 0.5 / 12, 0.5 / 12}, shares, 1e-15);
        // Proportional to 20, 10, 1, 1 (k = 3): 1/3 is clipped twice.
        shares = Shares.of(new double[] {0.05, 0.1, 1, 1}, 3, FLOOR);
        assertArrayEquals(new double[] {1 / 3.0, 1 / 3.0, 1 / 6.0, 1 / 6.0}, shares, 1e-15);
    }

    @Test
    void theFloorKeepsSomethingForAColdNode() {
        double[] shares = Shares.of(new double[] {0, 0, 1}, 1, FLOOR);
        assertArrayEquals(new double[] {20 / 41.0, 20 / 41.0, 1 / 41.0}, shares, 1e-15);
    }

    @Test
    void aTinyFloorOverflowsNothing() {
        double[] shares = Shares.of(new double[] {0, 0, 1}, 1, Double.MIN_VALUE);
        assertArrayEquals(new double[] {0.5, 0.5, 0}, shares, 1e-15);
    }

    @ParameterizedTest
    @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, -0.001, 1.001})
    void aBadRatioIsRefusedByName(double bad) {
        assertRefused("missRatios[1] is " + bad + "; allowed: 0 to 1", new double[] {0.5, bad, 0.5}, 1, FLOOR);
    }

    @ParameterizedTest
    @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, -0.001, 0, 1.001})
    void aBadFloorIsRefusedByName(double bad) {
        assertRefused("missFloor is " + bad + "; allowed: above 0, at most 1", new double[] {0.5, 0.5}, 1, bad);
    }

    @Test
    void aBadNumberOfContactsIsRefusedByName() {
        assertRefused("k is 0; allowed: 1 to 2, the number of replicas", new double[] {0.5, 0.5}, 0, FLOOR);
        assertRefused("k is 3; allowed: 1 to 2, the number of replicas", new double[] {0.5, 0.5}, 3, FLOOR);
    }

    @Test
    void noReplicasAreRefused() {
        assertRefused("missRatios is empty; allowed: one value or more", new double[0], 1, FLOOR);
        assertRefused("missRatios is null; allowed: one value or more", null, 1, FLOOR);
    }

    private static void assertRefused(String message, double[] misses, int k, double floor) {
        assertEquals(
                message,
                assertThrows(IllegalArgumentException.class, () -> Shares.of(misses, k, floor))
                        .getMessage());
    }
}
