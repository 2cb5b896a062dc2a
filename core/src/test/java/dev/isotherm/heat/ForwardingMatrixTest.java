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

class ForwardingMatrixTest {
    private static final double FLOOR = 0.05;

    /** The matrix with equally many requests for every coordinator. */
    static double[][] uniform(double[] shares, int k) {
        double[] coordinatorShares = new double[shares.length];
        Arrays.fill(coordinatorShares, 1.0 / shares.length);
        return ForwardingMatrix.of(coordinatorShares, shares, k);
    }

    @Provide
    Arbitrary<Group> groups() {
        return Group.any();
    }

    @Property(tries = 10000, seed = "21")
    void keepsTheFourConditionsForUniformCoordinators(@ForAll("groups") Group group) {
        double[] shares = Shares.of(group.misses, group.k, FLOOR);
        double[] weights = new double[group.size()];
        Arrays.fill(weights, 1.0 / group.size());
        assertConditions(weights, shares, group.k, uniform(shares, group.k));
    }

    @Property(tries = 10000, seed = "22")
    void keepsTheFourConditionsForAnyCoordinators(@ForAll("groups") Group group) {
        double[] shares = Shares.of(group.misses, group.k, FLOOR);
        double[] weights = coordinatorShares(group);
        assertConditions(weights, shares, group.k, ForwardingMatrix.of(weights, shares, group.k));
    }

    /** Coordinator shares of all sizes, also almost zero and exactly zero. */
    private static double[] coordinatorShares(Group group) {
        double[] weights = new double[group.size()];
        for (int i = 0; i < weights.length; i++) {
            int kind = group.random.nextInt(6);
            weights[i] = kind == 0
                    ? 0
                    : kind == 1
                            ? 1e-15 * group.random.nextDouble()
                            : kind == 2 ? Math.pow(10, -12 * group.random.nextDouble()) : group.random.nextDouble();
        }
        weights[group.random.nextInt(weights.length)] += 0.1;
        double sum = Arrays.stream(weights).sum();
        return Arrays.stream(weights).map(weight -> weight / sum).toArray();
    }

    private static void assertConditions(double[] weights, double[] shares, int k, double[][] matrix) {
        int n = shares.length;
        double local = 0;
        double mostLocal = 0;
        for (int i = 0; i < n; i++) {
            assertEquals(1, Arrays.stream(matrix[i]).sum(), 1e-9, "row " + i);
            double column = 0;
            for (int j = 0; j < n; j++) {
                assertTrue(
                        matrix[i][j] >= 0 && matrix[i][j] <= 1.0 / k + 1e-15,
                        "entry " + i + "," + j + ": " + matrix[i][j]);
                column += weights[j] * matrix[j][i];
            }
            assertEquals(shares[i], column, 1e-9, "column " + i);
            local += weights[i] * matrix[i][i];
            // A coordinator can serve at most each of its requests once, and at most its replica's share.
            mostLocal += Math.min(shares[i], weights[i] / k);
        }
        assertEquals(mostLocal, local, 1e-9, "what stays local");
    }

    @Property(tries = 300, seed = "23")
    void keepsAsMuchLocalAsALinearProgramCan(@ForAll("groups") Group group) {
        double[] shares = Shares.of(group.misses, group.k, FLOOR);
        if (shares.length > 5) {
            shares = Shares.of(Arrays.copyOf(group.misses, 5), Math.min(group.k, 5), FLOOR);
        }
        int k = Math.min(group.k, shares.length);
        double[] weights = new double[shares.length];
        for (int i = 0; i < weights.length; i++) {
            weights[i] = 0.05 + group.random.nextDouble();
        }
        double sum = Arrays.stream(weights).sum();
        for (int i = 0; i < weights.length; i++) {
            weights[i] /= sum;
        }

        double[][] matrix = ForwardingMatrix.of(weights, shares, k);
        double local = 0;
        for (int i = 0; i < weights.length; i++) {
            local += weights[i] * matrix[i][i];
        }
        assertEquals(LocalReadsProgram.most(weights, shares, k), local, 1e-6);
    }

    @Property(tries = 1000, seed = "24")
    void isTheSameOnEveryNode(@ForAll("groups") Group group) {
        double[] shares = Shares.of(group.misses, group.k, FLOOR);
        assertTrue(Arrays.deepEquals(uniform(shares, group.k), uniform(shares.clone(), group.k)));
    }

    @Test
    void equalNodesKeepEverything() {
        double[][] matrix = uniform(new double[] {0.25, 0.25, 0.25, 0.25}, 1);
        for (int i = 0; i < 4; i++) {
            for (int j = 0; j < 4; j++) {
                assertEquals(i == j ? 1 : 0, matrix[i][j], 0);
            }
        }
    }

    @Test
    void aColdNodeSendsMoreThanItKeepsAndIsSentNothing() {
        double[] shares = Shares.of(new double[] {0.2, 0.2, 1}, 2, FLOOR);
        double[][] matrix = uniform(shares, 2);
        assertArrayEquals(new double[] {0.5, 0.5, 0}, matrix[0], 1e-12);
        assertArrayEquals(new double[] {0.5, 0.5, 0}, matrix[1], 1e-12);
        assertArrayEquals(new double[] {4 / 11.0, 4 / 11.0, 3 / 11.0}, matrix[2], 1e-12);
    }

    @Test
    void aWarmerNodeIsSentSomethingAsSoonAsItHasRoom() {
        double[] shares = Shares.of(new double[] {0.2, 0.2, 0.3}, 2, FLOOR);
        double[][] matrix = uniform(shares, 2);
        assertEquals(0.5, matrix[2][2], 1e-12);
        assertTrue(matrix[0][2] > 0.1 && matrix[1][2] > 0.1);
    }

    @Test
    void aCoordinatorWithoutRequestsUsesTheShares() {
        double[] shares = {0.4, 0.35, 0.25};
        assertArrayEquals(shares, ForwardingMatrix.of(new double[] {0.5, 0.5, 0}, shares, 2)[2], 0);
    }

    @Test
    void argumentsThatCannotBeAreRefusedByName() {
        double[] thirds = {1 / 3.0, 1 / 3.0, 1 / 3.0};
        assertRefused("shares[0] is 0.6; allowed: 0 to 1/2", thirds, new double[] {0.6, 0.2, 0.2}, 2);
        assertRefused("shares[1] is NaN; allowed: 0 to 1", thirds, new double[] {0.6, Double.NaN, 0.2}, 1);
        assertRefused("shares[1] is -0.1; allowed: 0 to 1", thirds, new double[] {0.6, -0.1, 0.5}, 1);
        assertRefused("the sum of shares is 0.5; allowed: 1", thirds, new double[] {0.25, 0.125, 0.125}, 1);
        assertRefused("shares is empty; allowed: one value or more", thirds, new double[0], 1);
        assertRefused("k is 4; allowed: 1 to 3, the number of replicas", thirds, thirds, 4);
        assertRefused("k is 0; allowed: 1 to 3, the number of replicas", thirds, thirds, 0);
        assertRefused(
                "coordinatorShares[2] is Infinity; allowed: 0 to 1",
                new double[] {0, 0, Double.POSITIVE_INFINITY},
                thirds,
                1);
        assertRefused("coordinatorShares is null; allowed: one value or more", null, thirds, 1);
        assertRefused(
                "the length of coordinatorShares is 2; allowed: 3, the number of shares",
                new double[] {0.5, 0.5},
                thirds,
                1);
    }

    private static void assertRefused(String message, double[] weights, double[] shares, int k) {
        assertEquals(
                message,
                assertThrows(IllegalArgumentException.class, () -> ForwardingMatrix.of(weights, shares, k))
                        .getMessage());
    }
}
