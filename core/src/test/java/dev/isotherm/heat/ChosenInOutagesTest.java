// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import static dev.isotherm.heat.Placement.AFFINITY;
import static dev.isotherm.heat.Placement.LOCAL;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What nodes choose together while some are down, or the network is cut: five of twelve, more than a third. */
class ChosenInOutagesTest {
    private static final int MINUTE = 60;
    private static final int HOUR = 3600;
    private static final int NODES = 12;
    private static final int RACK = 5;

    private static final Voters.Misses SAVED = (node, inForce) -> inForce == LOCAL ? 0.36 : 0.04;

    private static Voters withAffinity(long seed) {
        Voters voters = new Voters(NODES, AFFINITY, 0.1, 3, seed);
        voters.pass(HOUR, SAVED);
        assertTrue(voters.allAre(AFFINITY));
        return voters;
    }

    private static void cut(Voters voters, boolean isCut) {
        for (int node = 0; node < NODES; node++) {
            for (int other = 0; other < NODES; other++) {
                voters.isCut[node][other] = isCut && node < RACK != other < RACK;
            }
        }
    }

    @Test
    void affinityStaysWhileARackIsDownAndWhenItIsBack() {
        Voters voters = withAffinity(1);
        for (int node = 0; node < RACK; node++) {
            voters.stop(node);
        }
        voters.pass(2 * HOUR, SAVED);
        assertTrue(voters.allAre(AFFINITY));
        for (int node = 0; node < RACK; node++) {
            voters.begin(node, LOCAL);
        }
        voters.pass(5 * MINUTE, SAVED);
        assertTrue(voters.allAre(AFFINITY));
        for (int node = RACK; node < NODES; node++) {
            assertEquals(List.of(), voters.changes(node));
        }
    }

    @Test
    void aProcessThatStartsMeanwhileTakesAffinityOverAfterAQuarterOfAnHour() {
        Voters voters = withAffinity(2);
        for (int node = 0; node < RACK; node++) {
            voters.stop(node);
        }
        voters.pass(10 * MINUTE, SAVED);
        voters.stop(NODES - 1);
        voters.pass(30, SAVED);
        voters.begin(NODES - 1, LOCAL);
        voters.reads[NODES - 1] = 0;
        voters.pass(14 * MINUTE, SAVED);
        assertTrue(voters.differ());
        voters.pass(2 * MINUTE, SAVED);
        assertTrue(voters.allAre(AFFINITY));
        assertEquals(1, voters.changes(NODES - 1).size());
    }

    /** Each side keeps what it has: it can read no replica of the other. */
    @ParameterizedTest
    @ValueSource(ints = {7, MINUTE, 20 * MINUTE})
    void aNetworkThatIsCutAgainAndAgainChangesNothing(int seconds) {
        Voters voters = withAffinity(3);
        for (int i = 0; voters.second < 4 * HOUR; i++) {
            cut(voters, i % 2 == 0);
            voters.pass(seconds, SAVED);
        }
        for (int node = 0; node < NODES; node++) {
            assertEquals(List.of(), voters.changes(node));
        }
    }

    /** Seven want affinity and five do not: two thirds of all never do. */
    @ParameterizedTest
    @ValueSource(ints = {MINUTE, 10 * MINUTE, 20 * MINUTE})
    void nodesThatComeAndGoDoNotChangeThePlacementToAndFro(int seconds) {
        Voters voters = new Voters(NODES, LOCAL, 0.1, 3, 4);
        Voters.Misses some = (node, inForce) -> node < RACK ? 0 : SAVED.ratio(node, inForce);
        voters.pass(10 * MINUTE, some);
        for (int i = 0; voters.second < 8 * HOUR; i++) {
            cut(voters, i % 2 == 0);
            voters.pass(seconds, some);
        }
        for (int node = 0; node < NODES; node++) {
            List<Integer> changes = voters.changes(node);
            assertTrue(seconds >= 15 * MINUTE || changes.isEmpty(), () -> "changes: " + changes);
            voters.checkChanges(node);
        }
    }

    /** Whoever is down and cut off, whatever is measured. */
    @Property(tries = 8, seed = "17")
    void changesAreFewAndNodesAgreeInTheEnd(@ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Voters voters = new Voters(6, random.nextBoolean() ? LOCAL : AFFINITY, 0.2, 3, seed);
        double[] level = new double[6];
        boolean[] isUp = {true, true, true, true, true, true};
        int stays = 10 + random.nextInt(25 * MINUTE);
        Voters.Misses misses = (node, inForce) -> inForce == AFFINITY ? level[node] / 10 : level[node];
        while (voters.second < 8 * HOUR) {
            int node = random.nextInt(6);
            level[node] = random.nextBoolean() ? 0 : 0.4;
            int other = random.nextInt(6);
            voters.isCut[node][other] = voters.isCut[other][node] = node != other && random.nextBoolean();
            int stopped = random.nextInt(6);
            if (isUp[stopped]) {
                voters.stop(stopped);
            } else {
                voters.begin(stopped, LOCAL);
            }
            isUp[stopped] = !isUp[stopped];
            voters.pass(stays, misses);
        }
        int cutSecond = voters.second;
        for (boolean[] each : voters.isCut) {
            Arrays.fill(each, false);
        }
        while (voters.second < cutSecond + 4 * HOUR) {
            voters.pass(1, misses);
            boolean isLate = voters.second - Math.max(cutSecond + 1, voters.votedSecond()) > 15 * MINUTE + 30;
            assertFalse(isLate && voters.differ(), () -> "nodes differ after s " + voters.second);
        }
        for (int node = 0; node < 6; node++) {
            voters.checkChanges(node);
        }
    }
}
