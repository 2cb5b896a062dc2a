// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import static dev.isotherm.heat.ReadPlanTest.misses;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.common.AllocatedBytes;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.apache.commons.math3.stat.inference.ChiSquareTest;
import org.junit.jupiter.api.Test;

/** The draws and orders of a plan. */
class ReadPlanOrderTest {
    private static final BalanceSettings LOCAL = BalanceSettings.defaults();
    private static final BalanceSettings AFFINITY = LOCAL.withPlacement(Placement.AFFINITY);
    private static final double NOT_WANDERING = 0.5;

    @Provide
    Arbitrary<Group> groups() {
        return Group.withChoice();
    }

    @Property(tries = 2000, seed = "51")
    void isAPermutationWithTheCoordinatorLeadingTheDrawn(@ForAll("groups") Group group) {
        for (BalanceSettings settings : new BalanceSettings[] {LOCAL, AFFINITY}) {
            for (int self = -1; self < group.size(); self++) {
                ReadPlan plan = ReadPlan.of(misses(group.misses), group.k, self, settings);
                if (plan == null) {
                    continue;
                }
                int[] into = new int[group.size()];
                for (double edge : new double[] {0, group.random.nextDouble(), Math.nextDown(1.0)}) {
                    plan.order(group.random.nextLong(), edge, edge, into);
                    assertArrayEquals(
                            IntStream.range(0, group.size()).toArray(),
                            Arrays.stream(into).sorted().toArray());
                    if (drawn(into, group.k).contains(self)) {
                        assertEquals(self, into[0]);
                    }
                }
            }
        }
    }

    /** Over evenly spaced u each replica is drawn k times as often as its share, except for one u per border. */
    @Property(tries = 300, seed = "52")
    void locallyDrawsEachReplicaWithKTimesItsShare(@ForAll("groups") Group group) {
        int draws = 10_000;
        for (int self = -1; self < group.size(); self++) {
            ReadPlan plan = ReadPlan.of(misses(group.misses), group.k, self, LOCAL);
            if (plan == null) {
                return;
            }
            double[] frequency = new double[group.size()];
            int[] into = new int[group.size()];
            for (int draw = 0; draw < draws; draw++) {
                plan.order(draw, (draw + 0.5) / draws, group.random.nextDouble(), into);
                for (int p = 0; p < group.k; p++) {
                    frequency[into[p]] += 1.0 / draws;
                }
            }
            for (int i = 0; i < group.size(); i++) {
                assertEquals(group.k * plan.shareOf(i), frequency[i], 2.0 * group.size() / draws);
            }
        }
    }

    @Test
    void sampledFrequenciesFitTheShares() {
        SplittableRandom random = new SplittableRandom(5);
        ReadPlan plan = ReadPlan.of(misses(0.1, 0.2, 0.3, 0.4, 1), 1, 2, LOCAL);
        long[] observed = new long[5];
        double[] expected = new double[5];
        int[] into = new int[5];
        for (int draw = 0; draw < 100_000; draw++) {
            plan.order(0, random.nextDouble(), random.nextDouble(), into);
            observed[into[0]]++;
        }
        int positive = 0;
        for (int i = 0; i < 5; i++) {
            if (plan.shareOf(i) == 0) {
                assertEquals(0, observed[i]);
            } else {
                observed[positive] = observed[i];
                expected[positive++] = plan.shareOf(i);
            }
        }
        assertTrue(positive > 1);
        assertTrue(
                new ChiSquareTest().chiSquareTest(Arrays.copyOf(expected, positive), Arrays.copyOf(observed, positive))
                        > 0.001);
    }

    /** Tokens of one narrow range, as a replica group owns it. */
    @Property(tries = 100, seed = "53")
    void affinityReachesTheSharesOverAllTokens(@ForAll("groups") Group group) {
        int draws = 20_000;
        ReadPlan plan = ReadPlan.of(misses(group.misses), group.k, 0, AFFINITY);
        double[] frequency = new double[group.size()];
        int[] into = new int[group.size()];
        long first = group.random.nextLong();
        for (int draw = 0; draw < draws; draw++) {
            plan.order(first + draw, group.random.nextDouble(), group.random.nextDouble(), into);
            for (int p = 0; p < group.k; p++) {
                frequency[into[p]] += 1.0 / draws;
            }
        }
        for (int i = 0; i < group.size(); i++) {
            double probability = Math.min(1, group.k * plan.shareOf(i));
            assertEquals(probability, frequency[i], 5 * Math.sqrt(probability * (1 - probability) / draws) + 1e-9);
        }
    }

    @Property(tries = 500, seed = "54")
    void affinityGivesATokenTheSameReplicasOnEveryCoordinator(@ForAll("groups") Group group) {
        Heat[] heats = misses(group.misses);
        int[] into = new int[group.size()];
        for (int t = 0; t < 20; t++) {
            long token = group.random.nextLong();
            Set<Integer> expected = null;
            for (int self = -1; self < group.size(); self++) {
                double u =
                        AFFINITY.wanderingFraction() + (1 - AFFINITY.wanderingFraction()) * group.random.nextDouble();
                ReadPlan.of(heats, group.k, self, AFFINITY).order(token, u, group.random.nextDouble(), into);
                Set<Integer> drawn = drawn(into, group.k);
                if (expected != null) {
                    assertEquals(expected, drawn);
                }
                expected = drawn;
            }
        }
    }

    @Test
    void wanderingReadsMeetEveryPair() {
        ReadPlan plan = ReadPlan.of(misses(0.3, 0.3, 0.3), 2, 0, AFFINITY);
        Set<Set<Integer>> wandering = new HashSet<>();
        Set<Set<Integer>> settled = new HashSet<>();
        int[] into = new int[3];
        for (int draw = 0; draw < 1000; draw++) {
            double u = draw / 1000.0;
            plan.order(42, u, 0.5, into);
            (u < AFFINITY.wanderingFraction() ? wandering : settled).add(drawn(into, 2));
        }
        assertEquals(3, wandering.size());
        assertEquals(1, settled.size());
    }

    @Test
    void withoutWanderingOnlyTheTokenDecidesAndWithNothingElseItNeverDoes() {
        int[] into = new int[3];
        ReadPlan never = ReadPlan.of(misses(0.3, 0.3, 0.3), 1, 0, wandering(0));
        ReadPlan always = ReadPlan.of(misses(0.3, 0.3, 0.3), 1, 0, wandering(1));
        Set<Integer> settled = new HashSet<>();
        for (double u : new double[] {0, 0.3, 0.6, Math.nextDown(1.0)}) {
            never.order(7, u, 0.5, into);
            settled.add(into[0]);
            always.order(7, u, 0.5, into);
            assertEquals((int) (u * 3), into[0]);
        }
        assertEquals(1, settled.size());
    }

    private static BalanceSettings wandering(double fraction) {
        return new BalanceSettings(Placement.AFFINITY, 0.05, fraction, 500_000, 10_000_000);
    }

    /** Each replica that was not drawn comes next in proportion to its share. */
    @Test
    void theRestIsDrawnByTheRemainingShares() {
        ReadPlan plan = ReadPlan.of(misses(0.1, 0.2, 0.4, 0.8), 1, -1, LOCAL);
        int draws = 100_000;
        double[][] next = new double[4][4];
        double[] last = new double[4];
        int[] into = new int[4];
        for (int draw = 0; draw < draws; draw++) {
            // The first replica depends only on u; each of these u lies inside one replica's share.
            double u = draw % 4 == 0 ? 0.1 : draw % 4 == 1 ? 0.7 : draw % 4 == 2 ? 0.85 : 0.97;
            plan.order(0, u, (draw + 0.5) / draws, into);
            assertEquals(draw % 4, into[0]);
            next[into[0]][into[1]] += 4.0 / draws;
            if (into[0] == 0) {
                last[into[3]] += 4.0 / draws;
            }
        }
        for (int first = 0; first < 4; first++) {
            for (int i = 0; i < 4; i++) {
                assertEquals(i == first ? 0 : plan.shareOf(i) / (1 - plan.shareOf(first)), next[first][i], 1e-3);
            }
        }
        // Behind replica 0, replica 3 is last unless it is drawn before: P(1 then 2) + P(2 then 1).
        double a = plan.shareOf(1);
        double b = plan.shareOf(2);
        double c = plan.shareOf(3);
        assertEquals(a / (a + b + c) * b / (b + c) + b / (a + b + c) * a / (a + c), last[3], 1e-3);
    }

    @Test
    void whereTheCoordinatorForwardsNothingTheGroupsSharesOrderTheRest() {
        // Coordinator 0 keeps every read: its row gives replicas 1 and 2 nothing.
        ReadPlan plan = ReadPlan.of(misses(0.2, 0.2, 1), 1, 0, LOCAL);
        assertEquals(0, plan.shareOf(1) + plan.shareOf(2), 0);
        int[] into = new int[3];
        double second = 0;
        for (int draw = 0; draw < 10_000; draw++) {
            plan.order(0, 0.5, (draw + 0.5) / 10_000, into);
            assertEquals(0, into[0]);
            if (into[1] == 1) {
                second += 1e-4;
            }
        }
        ReadPlan group = ReadPlan.of(misses(0.2, 0.2, 1), 1, -1, LOCAL);
        assertEquals(group.shareOf(1) / (group.shareOf(1) + group.shareOf(2)), second, 1e-3);
    }

    @Test
    void outsideTheGroupEachDrawnReplicaLeadsEquallyOften() {
        ReadPlan plan = ReadPlan.of(misses(0.1, 0.2, 0.4, 0.8, 1), 3, -1, LOCAL);
        int[] into = new int[5];
        plan.order(0, 0.4, 0, into);
        Set<Integer> expected = drawn(into, 3);
        double[] leads = new double[5];
        for (int draw = 0; draw < 9000; draw++) {
            plan.order(0, 0.4, (draw + 0.5) / 9000, into);
            assertEquals(expected, drawn(into, 3));
            leads[into[0]] += 1.0 / 9000;
        }
        for (int i = 0; i < 5; i++) {
            assertEquals(expected.contains(i) ? 1 / 3.0 : 0, leads[i], 1e-3);
        }
    }

    /** Six replicas are left over: two of them are drawn, and the others rarely matter. */
    @Test
    void ofManyLeftOverTheFirstAreDrawnAndTheOthersSorted() {
        ReadPlan plan = ReadPlan.of(misses(0.1, 0.2, 0.3, 0.4, 0.6, 0.8, 1), 1, -1, LOCAL);
        int draws = 100_000;
        double[] second = new double[7];
        double thirdAfterOne = 0;
        int[] into = new int[7];
        for (int draw = 0; draw < draws; draw++) {
            plan.order(0, 0.01, (draw + 0.5) / draws, into);
            assertEquals(0, into[0]);
            second[into[1]] += 1.0 / draws;
            if (into[1] == 1 && into[2] == 2) {
                thirdAfterOne += 1.0 / draws;
            }
            for (int position = 4; position < 7; position++) {
                assertTrue(plan.shareOf(into[position]) <= plan.shareOf(into[position - 1]));
            }
        }
        double left = 1 - plan.shareOf(0);
        for (int i = 1; i < 7; i++) {
            assertEquals(plan.shareOf(i) / left, second[i], 1e-3);
        }
        assertEquals(plan.shareOf(1) / left * plan.shareOf(2) / (left - plan.shareOf(1)), thirdAfterOne, 1e-3);
    }

    /** A plan's tables draw the same replicas as a sampler that searches, also on both sides of each border. */
    @Property(tries = 1000, seed = "55")
    void drawsTheSubsetTheSamplerDraws(@ForAll("groups") Group group) {
        ReadPlan plan = ReadPlan.of(misses(group.misses), group.k, -1, LOCAL);
        if (plan == null) {
            return;
        }
        double[] shares =
                IntStream.range(0, group.size()).mapToDouble(plan::shareOf).toArray();
        SubsetSampler sampler = SubsetSampler.meeting(shares, group.k);
        int[] into = new int[group.size()];
        for (int subset = 0; subset < sampler.subsetCount(); subset++) {
            double start = sampler.startOf(subset);
            for (double u : new double[] {start, Math.max(0, Math.nextDown(start)), group.random.nextDouble()}) {
                plan.order(0, u, group.random.nextDouble(), into);
                Set<Integer> expected = new HashSet<>();
                for (int p = 0; p < group.k; p++) {
                    expected.add(sampler.member(SubsetSamplerTest.subsetAt(sampler, u), p));
                }
                assertEquals(expected, drawn(into, group.k));
            }
        }
    }

    /** Invalid numbers still give some order of all replicas. */
    @Test
    void numbersOutsideTheRangeDoNoHarm() {
        double[] bad = {
            -1, -0.3, 1, 7.5, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, Double.MAX_VALUE
        };
        int[] into = new int[5];
        for (int self = -1; self < 5; self++) {
            ReadPlan plan = ReadPlan.of(misses(0.1, 0.2, 0.4, 0.8, 1), 2, self, LOCAL);
            for (double u : bad) {
                for (double v : bad) {
                    plan.order(0, u, v, into);
                    assertArrayEquals(
                            new int[] {0, 1, 2, 3, 4},
                            Arrays.stream(into).sorted().toArray());
                }
            }
        }
    }

    @Test
    void allocatesNothing() {
        ReadPlan local = ReadPlan.of(misses(0.1, 0.2, 0.4, 0.8, 1), 3, -1, LOCAL);
        ReadPlan affinity = ReadPlan.of(misses(0.1, 0.2, 0.4, 0.8, 1), 3, 1, AFFINITY);
        int[] into = new int[5];
        assertEquals(0, AllocatedBytes.of(() -> {
            for (int draw = 0; draw < 50_000; draw++) {
                local.order(draw, draw / 50_000.0, NOT_WANDERING, into);
                affinity.order(draw, draw / 50_000.0, NOT_WANDERING, into);
            }
        }));
    }

    private static Set<Integer> drawn(int[] order, int k) {
        Set<Integer> drawn = new HashSet<>();
        for (int p = 0; p < k; p++) {
            drawn.add(order[p]);
        }
        return drawn;
    }
}
