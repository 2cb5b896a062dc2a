// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.common.SplitMix64;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.apache.commons.math3.optim.MaxIter;
import org.apache.commons.math3.optim.linear.LinearConstraint;
import org.apache.commons.math3.optim.linear.LinearConstraintSet;
import org.apache.commons.math3.optim.linear.LinearObjectiveFunction;
import org.apache.commons.math3.optim.linear.NonNegativeConstraint;
import org.apache.commons.math3.optim.linear.Relationship;
import org.apache.commons.math3.optim.linear.SimplexSolver;
import org.apache.commons.math3.optim.nonlinear.scalar.GoalType;
import org.junit.jupiter.api.Test;

/** With random draws, any two replicas meet that can meet by their shares. */
class PairMeetingTest {
    private static final double CLOSE = 1e-9;
    /** The least fraction of the rarer replica's draws, or of those that lack a replica, in which a pair meets. */
    private static final double SELDOM = 1e-3;

    @Provide
    Arbitrary<Group> groups() {
        return Group.withChoice();
    }

    @Property(tries = 5000, seed = "61")
    void allMeetThatCan(@ForAll("groups") Group group) {
        double[] shares = Shares.of(group.misses, group.k, 0.05);
        assertAllMeet(shares, group.k);
        for (double[] row : ForwardingMatrixTest.uniform(shares, group.k)) {
            assertAllMeet(row, group.k);
        }
    }

    /** Equal shares, beside every number of shares at 1/k and every number of replicas without a share. */
    @Test
    void equalSharesBesideFullAndEmptyOnes() {
        for (int n = 2; n <= 9; n++) {
            for (int k = 1; k < n; k++) {
                for (int full = 0; full < k; full++) {
                    for (int none = 0; n - none - full > k - full; none++) {
                        double[] shares = new double[n];
                        Arrays.fill(shares, (k - full) / (double) k / (n - none - full));
                        Arrays.fill(shares, 0, full, 1.0 / k);
                        Arrays.fill(shares, n - none, n, 0);
                        assertAllMeet(shares, k);
                    }
                }
            }
        }
    }

    /**
     * No order of these shares lets the first two replicas meet in systematic sampling: their distance is never near a
     * whole number.
     */
    @Test
    void twoSmallSharesMeetAmongLargeOnes() {
        double[] shares = Shares.of(new double[] {1, 1, 0.05, 0.05, 0.05}, 2, 0.05);
        assertTrue(together(SubsetSampler.meeting(shares, 2))[0][1] > 1e-3);
    }

    /**
     * A linear program over all samplings finds a positive maximum for exactly the pairs claimed, and those pairs meet.
     */
    @Property(tries = 60, seed = "62")
    void noSamplingCouldLetMoreMeet(@ForAll("groups") Group group) {
        if (group.size() > 6) {
            return;
        }
        double[] shares = Shares.of(group.misses, group.k, 0.05);
        double[][] together = together(SubsetSampler.meeting(shares, group.k));
        for (int i = 0; i < shares.length; i++) {
            for (int j = i + 1; j < shares.length; j++) {
                double most = mostTogether(shares, group.k, i, j);
                assertEquals(canMeet(shares, group.k, i, j), most > 1e-6);
                assertEquals(canMeet(shares, group.k, i, j), together[i][j] > 1e-6);
                assertTrue(together[i][j] <= most + 1e-6);
            }
        }
    }

    @Test
    void groupsOfUpToThreeAndDrawsWithoutChoiceKeepToOneLayout() {
        for (int n = 2; n <= 9; n++) {
            for (int k : n <= 3 ? new int[] {1, n - 1} : new int[] {1, n - 1, n}) {
                assertEquals(
                        1,
                        SubsetSampler.meeting(Shares.of(new double[n], k, 0.05), k)
                                .layoutPart(),
                        0);
            }
        }
    }

    @Test
    void wanderingReadsOfFourMeetInAllSixPairs() {
        ReadPlan plan = ReadPlan.of(
                ReadPlanTest.misses(0.3, 0.3, 0.3, 0.3),
                2,
                0,
                BalanceSettings.defaults().withPlacement(Placement.AFFINITY));
        Set<Set<Integer>> wandering = new HashSet<>();
        Set<Set<Integer>> settled = new HashSet<>();
        for (int draw = 0; draw < 100_000; draw++) {
            double u = draw / 100_000.0;
            int order = plan.draw(draw, u, 0.5);
            Set<Integer> drawn = Set.of(plan.replicaAt(order, 0), plan.replicaAt(order, 1));
            (u < BalanceSettings.defaults().wanderingFraction() ? wandering : settled).add(drawn);
        }
        assertEquals(6, wandering.size());
        assertEquals(Set.of(Set.of(0, 2), Set.of(1, 3)), settled);
    }

    /** Draws by token use only the one layout: a partition is not in more caches for the sake of pairs. */
    @Property(tries = 300, seed = "63")
    void tokensKeepToTheOneLayout(@ForAll("groups") Group group) {
        ReadPlan plan = ReadPlan.of(
                ReadPlanTest.misses(group.misses),
                group.k,
                -1,
                BalanceSettings.defaults().withPlacement(Placement.AFFINITY));
        SubsetSampler sampler = SubsetSampler.of(
                IntStream.range(0, group.size()).mapToDouble(plan::shareOf).toArray(), group.k);
        for (int t = 0; t < 50; t++) {
            long token = group.random.nextLong();
            int order = plan.draw(token, 0.9, group.random.nextDouble());
            int subset = SubsetSamplerTest.subsetAt(sampler, SplitMix64.pointOf(token));
            Set<Integer> expected = new HashSet<>();
            Set<Integer> drawn = new HashSet<>();
            for (int p = 0; p < group.k; p++) {
                expected.add(sampler.member(subset, p));
                drawn.add(plan.replicaAt(order, p));
            }
            assertEquals(expected, drawn);
        }
    }

    /** Both replicas can be drawn, and one is always drawn or the replicas always drawn leave two of the k places. */
    private static boolean canMeet(double[] shares, int k, int i, int j) {
        double rarer = k * Math.min(shares[i], shares[j]);
        double commoner = k * Math.max(shares[i], shares[j]);
        long left =
                k - Arrays.stream(shares).filter(share -> k * share > 1 - CLOSE).count();
        return rarer > CLOSE && (commoner > 1 - CLOSE || left >= 2);
    }

    private static void assertAllMeet(double[] shares, int k) {
        SubsetSampler sampler = SubsetSampler.meeting(shares, k);
        assertTrue(sampler.subsetCount() <= 2 * shares.length + 36);
        double[] starts = starts(sampler);
        double[] drawn = new double[shares.length];
        Set<List<Integer>> subsets = new HashSet<>();
        for (int s = 0; s < sampler.subsetCount(); s++) {
            List<Integer> members = new ArrayList<>();
            for (int p = 0; p < k; p++) {
                members.add(sampler.member(s, p));
                drawn[sampler.member(s, p)] += starts[s + 1] - starts[s];
                assertTrue(p == 0 || sampler.member(s, p) > sampler.member(s, p - 1), "distinct and in order");
            }
            subsets.add(members);
        }
        assertTrue(subsets.size() <= 4 * shares.length, subsets.size() + " subsets");
        for (int i = 0; i < shares.length; i++) {
            assertEquals(k * shares[i], drawn[i], 1e-10);
        }

        double[][] together = together(sampler);
        double leastMissed = DoubleStream.of(shares)
                .map(share -> 1 - k * share)
                .filter(p -> p > CLOSE)
                .min()
                .orElse(1);
        for (int i = 0; i < shares.length; i++) {
            for (int j = i + 1; j < shares.length; j++) {
                if (canMeet(shares, k, i, j)) {
                    double least = SELDOM * Math.min(k * Math.min(shares[i], shares[j]), leastMissed);
                    assertTrue(together[i][j] >= least, i + " and " + j + ": " + together[i][j] + " < " + least);
                }
            }
        }
    }

    private static double[] starts(SubsetSampler sampler) {
        return IntStream.rangeClosed(0, sampler.subsetCount())
                .mapToDouble(s -> s < sampler.subsetCount() ? sampler.startOf(s) : 1)
                .toArray();
    }

    /** For each pair of replicas (i < j) the probability that one draw holds both. */
    private static double[][] together(SubsetSampler sampler) {
        double[] starts = starts(sampler);
        double[][] together = new double[sampler.size()][sampler.size()];
        for (int s = 0; s < sampler.subsetCount(); s++) {
            for (int a = 0; a < sampler.k(); a++) {
                for (int b = a + 1; b < sampler.k(); b++) {
                    together[sampler.member(s, a)][sampler.member(s, b)] += starts[s + 1] - starts[s];
                }
            }
        }
        return together;
    }

    private static double mostTogether(double[] shares, int k, int i, int j) {
        int[] subsets = IntStream.range(0, 1 << shares.length)
                .filter(bits -> Integer.bitCount(bits) == k)
                .toArray();
        List<LinearConstraint> constraints = new ArrayList<>();
        for (int r = 0; r < shares.length; r++) {
            int replica = r;
            double[] holds = Arrays.stream(subsets)
                    .mapToDouble(bits -> bits >> replica & 1)
                    .toArray();
            constraints.add(new LinearConstraint(holds, Relationship.EQ, k * shares[r]));
        }
        double[] both = Arrays.stream(subsets)
                .mapToDouble(bits -> bits >> i & bits >> j & 1)
                .toArray();
        return new SimplexSolver()
                .optimize(
                        new LinearObjectiveFunction(both, 0),
                        new LinearConstraintSet(constraints),
                        GoalType.MAXIMIZE,
                        new NonNegativeConstraint(true),
                        new MaxIter(10_000))
                .getValue();
    }
}
