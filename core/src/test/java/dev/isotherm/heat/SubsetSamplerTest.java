// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.apache.commons.math3.stat.inference.ChiSquareTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SubsetSamplerTest {
    @Provide
    Arbitrary<Group> groups() {
        return Group.any();
    }

    @Property(tries = 5000, seed = "31")
    void drawsEachReplicaWithKTimesItsShare(@ForAll("groups") Group group) {
        double[] shares = Shares.of(group.misses, group.k, 0.05);
        assertExact(shares, SubsetSampler.of(shares, group.k));
    }

    @Property(tries = 2000, seed = "32")
    void drawsEachReplicaWithItsPartOfAForwardingRow(@ForAll("groups") Group group) {
        for (double[] row : ForwardingMatrixTest.uniform(Shares.of(group.misses, group.k, 0.05), group.k)) {
            assertExact(row, SubsetSampler.of(row, group.k));
        }
    }

    /** Errors in the last digits, as rounding elsewhere may leave them, change nothing that matters. */
    @Property(tries = 2000, seed = "33")
    void standsUpToRounding(@ForAll("groups") Group group) {
        double[] shares = Shares.of(group.misses, group.k, 0.05);
        for (int i = 0; i < shares.length; i++) {
            shares[i] *= 1 + (group.random.nextInt(3) - 1) * 1e-12;
        }
        if (Arrays.stream(shares).max().getAsDouble() > 1) {
            return;
        }
        assertExact(shares, SubsetSampler.of(shares, group.k));
    }

    /** The subset that u, in [0, 1), draws. */
    static int subsetAt(SubsetSampler sampler, double u) {
        int subset = sampler.subsetCount() - 1;
        while (subset > 0 && u < sampler.startOf(subset)) {
            subset--;
        }
        return subset;
    }

    /** The lengths of u's intervals are the subsets' probabilities: the check needs no sampling. */
    private static void assertExact(double[] shares, SubsetSampler sampler) {
        int k = sampler.k();
        assertEquals(shares.length, sampler.size());
        assertTrue(sampler.subsetCount() >= 1 && sampler.subsetCount() <= shares.length);
        assertEquals(0, sampler.startOf(0), 0);
        double[] drawn = new double[shares.length];
        for (int s = 0; s < sampler.subsetCount(); s++) {
            double end = s + 1 < sampler.subsetCount() ? sampler.startOf(s + 1) : 1;
            assertTrue(end > sampler.startOf(s));
            for (int p = 0; p < k; p++) {
                drawn[sampler.member(s, p)] += end - sampler.startOf(s);
                assertTrue(p == 0 || sampler.member(s, p) > sampler.member(s, p - 1), "distinct and in order");
            }
        }
        for (int i = 0; i < shares.length; i++) {
            assertEquals(k * shares[i], drawn[i], 1e-10);
        }
    }

    @ParameterizedTest
    @CsvSource({"3,1", "3,2", "5,3", "9,5", "9,8", "4,4", "1,1"})
    void sampledFrequenciesFitTheShares(int n, int k) {
        double[] shares = Shares.of(new Group(n, k, Group.Shape.UNIFORM, 7 * n + k).misses, k, 0.05);
        SubsetSampler sampler = SubsetSampler.of(shares, k);
        SplittableRandom random = new SplittableRandom(n * 31 + k);
        // The replicas of one draw are not independent: the subsets are the categories.
        long[] observed = new long[sampler.subsetCount()];
        double[] expected = new double[observed.length];
        for (int draw = 0; draw < 200_000; draw++) {
            observed[subsetAt(sampler, random.nextDouble())]++;
        }
        for (int s = 0; s < expected.length; s++) {
            expected[s] = (s + 1 < expected.length ? sampler.startOf(s + 1) : 1) - sampler.startOf(s);
        }
        if (observed.length > 1) {
            assertTrue(new ChiSquareTest().chiSquareTest(expected, observed) > 0.001);
        }

        double[] drawn = new double[n];
        for (int s = 0; s < observed.length; s++) {
            for (int p = 0; p < k; p++) {
                drawn[sampler.member(s, p)] += observed[s];
            }
        }
        for (int i = 0; i < n; i++) {
            double probability = Math.min(1, k * shares[i]);
            // Five standard deviations of a binomial.
            assertEquals(
                    probability, drawn[i] / 200_000, 5 * Math.sqrt(probability * (1 - probability) / 200_000) + 1e-9);
        }
    }

    @Test
    void aShareOfNothingIsNeverDrawnAndAFullOneAlways() {
        SubsetSampler sampler = SubsetSampler.of(new double[] {0, 0.5, 0, 0.25, 0.25, 0}, 2);
        for (double u : new double[] {0, 0.25, 0.4999, 0.5, 0.75, Math.nextDown(1.0)}) {
            int subset = subsetAt(sampler, u);
            assertEquals(1, sampler.member(subset, 0));
            assertEquals(u < 0.5 ? 3 : 4, sampler.member(subset, 1));
        }
        assertEquals(2, sampler.subsetCount());
    }

    @Test
    void allReplicasAreOneSubset() {
        SubsetSampler sampler = SubsetSampler.of(new double[] {1 / 3.0, 1 / 3.0, 1 / 3.0}, 3);
        assertEquals(1, sampler.subsetCount());
        for (int p = 0; p < 3; p++) {
            assertEquals(p, sampler.member(0, p));
        }
    }

    @Test
    void manyReplicasStayDistinct() {
        double[] shares = new double[300];
        SplittableRandom random = new SplittableRandom(3);
        for (int i = 0; i < shares.length; i++) {
            shares[i] = random.nextDouble();
        }
        shares = Shares.of(shares, 100, 0.001);
        assertExact(shares, SubsetSampler.of(shares, 100));
    }

    @Test
    void sharesThatCannotBeDrawnAreRefusedByName() {
        assertRefused("shares[1] is 0.75; allowed: 0 to 1/2", new double[] {0.25, 0.75}, 2);
        assertRefused("shares[0] is NaN; allowed: 0 to 1", new double[] {Double.NaN, 0.5}, 1);
        assertRefused("the sum of shares is 0.75; allowed: 1", new double[] {0.25, 0.5}, 1);
        assertRefused("shares is empty; allowed: one value or more", new double[0], 1);
        assertRefused("k is 3; allowed: 1 to 2, the number of replicas", new double[] {0.5, 0.5}, 3);
    }

    private static void assertRefused(String message, double[] shares, int k) {
        assertEquals(
                message,
                assertThrows(IllegalArgumentException.class, () -> SubsetSampler.of(shares, k))
                        .getMessage());
    }
}
