// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.common;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class AllowedTest {
    private static void assertRefused(String sentence, Executable check) {
        assertEquals(
                sentence, assertThrows(IllegalArgumentException.class, check).getMessage());
    }

    @Test
    void aRatioIsZeroToOne() {
        Allowed.ratio("r", 0);
        Allowed.ratio("r", 1);
        Allowed.ratio("r", 3, 0);
        Allowed.ratio("r", 3, 1);
        for (double wrong : new double[] {-1e-9, 1 + 1e-9, Double.NaN}) {
            assertRefused("r is " + wrong + "; allowed: 0 to 1", () -> Allowed.ratio("r", wrong));
            assertRefused("r[3] is " + wrong + "; allowed: 0 to 1", () -> Allowed.ratio("r", 3, wrong));
        }
    }

    @Test
    void aPositiveRatioIsNotZero() {
        Allowed.positiveRatio("r", Double.MIN_VALUE);
        Allowed.positiveRatio("r", 1);
        for (double wrong : new double[] {0, 1 + 1e-9, Double.NaN}) {
            assertRefused("r is " + wrong + "; allowed: above 0, at most 1", () -> Allowed.positiveRatio("r", wrong));
        }
    }

    @Test
    void aFiniteNumberIsNotInfinite() {
        Allowed.finiteNonNegative("n", 0);
        Allowed.finiteNonNegative("n", Double.MAX_VALUE);
        for (double wrong : new double[] {-1e-9, Double.POSITIVE_INFINITY, Double.NaN}) {
            assertRefused(
                    "n is " + wrong + "; allowed: a finite number, 0 or above",
                    () -> Allowed.finiteNonNegative("n", wrong));
        }
    }

    @Test
    void anArrayHoldsAValue() {
        Allowed.notEmpty("a", new double[1]);
        assertRefused("a is null; allowed: one value or more", () -> Allowed.notEmpty("a", null));
        assertRefused("a is empty; allowed: one value or more", () -> Allowed.notEmpty("a", new double[0]));
    }

    @Test
    void contactsAreOneToTheNumberOfReplicas() {
        Allowed.contacts(1, 3);
        Allowed.contacts(3, 3);
        assertRefused("k is 0; allowed: 1 to 3, the number of replicas", () -> Allowed.contacts(0, 3));
        assertRefused("k is 4; allowed: 1 to 3, the number of replicas", () -> Allowed.contacts(4, 3));
    }

    @Test
    void partsOfAWholeAreRatiosThatSumToOne() {
        Allowed.distribution("p", new double[] {0.25, 0.75});
        Allowed.distribution("p", new double[] {0, 1 - 5e-10});
        assertRefused("p is empty; allowed: one value or more", () -> Allowed.distribution("p", new double[0]));
        assertRefused("p[1] is -0.5; allowed: 0 to 1", () -> Allowed.distribution("p", new double[] {1, -0.5, 0.5}));
        assertRefused("the sum of p is 0.75; allowed: 1", () -> Allowed.distribution("p", new double[] {0.5, 0.25}));
        assertRefused("the sum of p is 1.25; allowed: 1", () -> Allowed.distribution("p", new double[] {0.5, 0.75}));
    }

    @Test
    void noPartOfACappedDistributionExceedsOneOverK() {
        Allowed.cappedDistribution("p", new double[] {0.5, 0.5, 0}, 2);
        Allowed.cappedDistribution("p", new double[] {1 / 3.0, 1 / 3.0, 1 / 3.0}, 3);
        assertRefused(
                "p[0] is 0.625; allowed: 0 to 1/2",
                () -> Allowed.cappedDistribution("p", new double[] {0.625, 0.375}, 2));
        assertRefused(
                "the sum of p is 0.75; allowed: 1", () -> Allowed.cappedDistribution("p", new double[] {0.5, 0.25}, 2));
        assertRefused(
                "k is 3; allowed: 1 to 2, the number of replicas",
                () -> Allowed.cappedDistribution("p", new double[] {0.5, 0.5}, 3));
    }
}
