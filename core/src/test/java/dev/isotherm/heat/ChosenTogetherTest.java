// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import static dev.isotherm.heat.Placement.AFFINITY;
import static dev.isotherm.heat.Placement.LOCAL;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What nodes choose together, and when. */
class ChosenTogetherTest {
    private static final int MINUTE = 60;
    private static final int HOUR = 3600;
    /** Affinity is left so long after the last look at which two thirds voted for it. */
    private static final int LEFT_AFTER = 270;

    private static final int[][] ORDERS = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

    private static final Voters.Misses SAVED = (node, inForce) -> inForce == LOCAL ? 0.36 : 0.04;
    private static final Voters.Misses HITS = (node, inForce) -> 0;

    /** A cold node: it returns while the others try affinity, in every order in which the nodes began to vote. */
    @ParameterizedTest
    @CsvSource({"0, 10", "5, 10", "5, 80", "50, 15", "50, 85", "100, 10", "100, 80"})
    void aNodeThatReturnsInsideTheTrialTakesAffinityOver(int intoTrial, int away) {
        for (int[] order : ORDERS) {
            for (int node = 0; node < 3; node++) {
                String what = "order " + Arrays.toString(order) + ", node " + node;
                Voters voters = tried(order, 17 * node + intoTrial);
                voters.pass(intoTrial, SAVED);
                voters.stop(node);
                voters.pass(away, SAVED);
                voters.begin(node, LOCAL);
                int heardFor = 0;
                for (int i = 0; i < 100 && voters.chosen[node].inForce() == LOCAL; i++) {
                    pass(voters, 1, node);
                    heardFor += voters.hasHeardAll(node) ? 1 : 0;
                }
                assertSame(AFFINITY, voters.chosen[node].inForce(), what);
                assertTrue(heardFor <= 35, () -> what + ": after s " + voters.second);
                pass(voters, HOUR, node);
                assertTrue(voters.allAre(AFFINITY), what);
                for (int other = 0; other < 3; other++) {
                    assertEquals(other == node ? 2 : 1, voters.changes(other).size(), what + ", of " + other);
                }
            }
        }
    }

    /** The caches of one node fill. */
    private static void pass(Voters voters, int seconds, int cold) {
        int began = voters.second;
        voters.pass(seconds, (node, inForce) -> {
            double of = SAVED.ratio(node, inForce);
            return node == cold ? Math.max(of, 0.9 - (voters.second - began) / 100.0) : of;
        });
    }

    /** Three nodes, each started and read five seconds after the one before, until affinity is in force on all. */
    private static Voters tried(int[] order, long seed) {
        Voters voters = new Voters(3, LOCAL, 0.3, 3, seed);
        Arrays.fill(voters.reads, 0);
        for (int node : order) {
            voters.begin(node, LOCAL);
            voters.reads[node] = 1000;
            voters.pass(5, SAVED);
        }
        while (!voters.allAre(AFFINITY) && voters.second < 10 * MINUTE) {
            voters.pass(1, SAVED);
        }
        assertTrue(voters.second < 4 * MINUTE, () -> "tried after s " + voters.second);
        return voters;
    }

    @ParameterizedTest
    @CsvSource({"1000", "2", "0"})
    void affinityThatAnOperatorHadSetStaysUntilItIsMeasured(double readsPerSecond) {
        Voters voters = new Voters(3, AFFINITY, 0.3, 3, 5);
        Arrays.fill(voters.reads, readsPerSecond);
        voters.pass(2 * HOUR, SAVED);
        for (int node = 0; node < 3; node++) {
            assertEquals(List.of(), voters.changes(node));
        }
    }

    @Test
    void affinityThatAnOperatorHadSetIsLeftWhereEverythingHits() {
        Voters voters = new Voters(3, AFFINITY, 0.3, 3, 6);
        voters.pass(2 * HOUR, HITS);
        assertTrue(voters.allAre(LOCAL));
        assertEquals(1, voters.changes(0).size());
    }

    @Test
    void theOthersHaveSomeMinutesToBeSetToAutoToo() {
        Voters voters = new Voters(3, AFFINITY, 0, 0, 7);
        voters.isAuto[1] = false;
        voters.isAuto[2] = false;
        voters.pass(4 * MINUTE, SAVED);
        voters.isAuto[1] = true;
        voters.begin(1, AFFINITY);
        voters.pass(HOUR, SAVED);
        assertTrue(voters.allAre(AFFINITY));
        assertEquals(List.of(), voters.changes(0));
    }

    /** As after a change of the setting on two of three nodes. */
    @Test
    void affinityThatMostDoNotVoteForIsLeft() {
        Voters voters = new Voters(3, AFFINITY, 0, 0, 8);
        voters.pass(HOUR, SAVED);
        voters.isAuto[1] = false;
        voters.isAuto[2] = false;
        int changed = voters.second;
        voters.pass(HOUR, SAVED);
        assertTrue(voters.allAre(LOCAL));
        int left = voters.changes(0).get(0) - changed;
        assertTrue(left >= LEFT_AFTER && left <= LEFT_AFTER + 1, "after s: " + left);
        assertEquals(1, voters.changes(0).size());
    }

    /** Three of six nodes want affinity, one does not, two are not read: nothing that starts brings it into force. */
    @Test
    void rollingRestartsBringNothingIntoForce() {
        Voters voters = new Voters(6, LOCAL, 0.1, 2, 9);
        Voters.Misses some = (node, inForce) -> node < 3 ? SAVED.ratio(node, inForce) : 0;
        voters.reads[4] = 0;
        voters.reads[5] = 0;
        voters.pass(10 * MINUTE, some);
        for (int round = 0; round < 3; round++) {
            for (int node = 5; node >= 0; node--) {
                voters.stop(node);
                voters.pass(30, some);
                voters.begin(node, LOCAL);
                voters.pass(3 * MINUTE, some);
                assertTrue(voters.allAre(LOCAL), "node " + node);
            }
        }
        for (int node = 0; node < 6; node++) {
            assertEquals(List.of(), voters.changes(node));
        }
    }

    @Test
    void theNodesDoNotDifferForGood() {
        Voters voters = new Voters(6, LOCAL, 0, 0, 10);
        voters.pass(10 * MINUTE, SAVED);
        assertTrue(voters.allAre(AFFINITY));
        // For half of the nodes local would do now.
        Voters.Misses half = (node, inForce) -> node < 3 ? SAVED.ratio(node, inForce) : 0;
        voters.stop(5);
        voters.pass(30, half);
        voters.begin(5, LOCAL);
        int differed = 0;
        for (int i = 0; i < 2 * HOUR; i++) {
            voters.pass(1, half);
            differed += voters.differ() ? 1 : 0;
        }
        assertTrue(differed <= LEFT_AFTER + 5, "differed for s: " + differed);
        assertFalse(voters.differ());
    }

    /**
     * Whatever the nodes measure, and hear late: few changes, and once no vote changes any more they agree. Votes that
     * make two thirds for a moment, of which some nodes hear and others not, begin that time anew for some.
     */
    @Property(tries = 25, seed = "103")
    void whateverIsMeasuredChangesAreFewAndNodesAgree(@ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int nodes = 1 + random.nextInt(6);
        Voters voters = new Voters(nodes, random.nextBoolean() ? LOCAL : AFFINITY, 0.3, 4, seed);
        int stays = 1 + random.nextInt(20 * MINUTE);
        double[] level = new double[nodes];
        while (voters.second < 12 * HOUR) {
            if (voters.second % stays == 0) {
                for (int node = 0; node < nodes; node++) {
                    level[node] = random.nextInt(3) == 0 ? 0 : Math.pow(random.nextDouble(), 1 + random.nextInt(6));
                }
            }
            voters.pass(1, (node, inForce) -> inForce == AFFINITY && random.nextInt(3) > 0 ? 0 : level[node]);
            boolean isLate = voters.second - voters.votedSecond() > LEFT_AFTER + 30;
            assertFalse(isLate && voters.differ(), () -> "nodes differ after s " + voters.second);
        }
        for (int node = 0; node < nodes; node++) {
            voters.checkChanges(node);
        }
    }

    /** What is measured always speaks against what is in force. */
    @Property(tries = 12, seed = "104")
    void againstAnAdversaryChangesAreFew(@ForAll long seed) {
        int waits = new SplittableRandom(seed).nextInt(HOUR);
        Voters voters = new Voters(3, LOCAL, 0.3, 4, seed);
        voters.pass(24 * HOUR, (node, inForce) -> {
            List<Integer> changes = voters.changes(node);
            boolean sure = changes.isEmpty() || voters.second - changes.get(changes.size() - 1) > waits;
            return inForce == LOCAL ? 0.4 : sure ? 0 : 0.01;
        });
        for (int node = 0; node < 3; node++) {
            voters.checkChanges(node);
        }
    }
}
