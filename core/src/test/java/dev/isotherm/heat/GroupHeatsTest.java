// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class GroupHeatsTest {
    private static final long STALE = 1000;
    private static final Heat HALF = Heat.missRatio(0.5);
    private static final Heat TENTH = Heat.missRatio(0.1);

    private final HeatBoard<String, String> board = new HeatBoard<>(STALE, BalanceSettings.defaults());

    private GroupHeats<String, String> ofAandB(long nowNanos) {
        return board.group("t", new String[] {"a", "b"}, Placement.LOCAL, nowNanos);
    }

    @Test
    void anotherNodesHeatOutdatesNothing() {
        board.report("t", "a", HALF, 0);
        board.report("t", "b", TENTH, RequestRate.perSecond(10), 0);
        GroupHeats<String, String> group = ofAandB(0);
        assertSame(HALF, group.heats()[0]);
        assertSame(RequestRate.perSecond(10), group.rates()[1]);
        long version = board.version("t");
        board.report("t", "c", HALF, 0);
        board.report("u", "a", TENTH, 0);
        assertNotEquals(version, board.version("t"));
        assertTrue(group.areCurrent());
        board.report("t", "a", TENTH, 0);
        assertFalse(group.areCurrent());
        board.report("t", "a", HALF, 0);
        assertTrue(group.areCurrent(), "the same heat as before");
        board.report("t", "b", TENTH, RequestRate.perSecond(40), 0);
        assertFalse(group.areCurrent());
    }

    @Test
    void aHeatThatBecomesKnownOutdates() {
        GroupHeats<String, String> ofNothing = ofAandB(0);
        assertTrue(ofNothing.areCurrent());
        board.report("t", "c", HALF, 0);
        assertFalse(ofNothing.areCurrent());
        GroupHeats<String, String> unknown = ofAandB(0);
        board.report("t", "c", TENTH, 0);
        assertTrue(unknown.areCurrent());
        board.report("t", "b", HALF, 0);
        assertFalse(unknown.areCurrent());
    }

    @Test
    void aForgottenTableOrNodeOutdates() {
        board.report("t", "a", HALF, 0);
        board.report("t", "b", HALF, 0);
        GroupHeats<String, String> group = ofAandB(0);
        board.forgetTable("t");
        assertFalse(group.areCurrent());
        board.report("t", "a", HALF, 0);
        board.report("t", "b", HALF, 0);
        GroupHeats<String, String> again = ofAandB(0);
        board.forget("b");
        assertFalse(again.areCurrent());
    }

    @Test
    void whatGrowsStaleOutdatesAtThatInstantAndAgainWhenItIsHeard() {
        board.report("t", "a", HALF, 0);
        board.report("t", "b", HALF, 500);
        GroupHeats<String, String> group = ofAandB(500);
        assertTrue(group.areCurrent(999));
        assertFalse(group.areCurrent(1000));
        GroupHeats<String, String> stale = ofAandB(1000);
        assertNull(stale.heats()[0]);
        assertTrue(stale.areCurrent(1000));
        board.report("t", "a", HALF, 1100);
        assertFalse(stale.areCurrent());
    }

    /** The floor of costs is a part of the highest: a slow disk elsewhere says nothing of what is close here. */
    @Test
    void eachPartWithAPlanOfItsOwnIsLookedAtByItself() {
        Heat warm = Heat.costNanos(2e5);
        Heat cold = Heat.costNanos(4e6);
        for (String node : new String[] {"a", "b", "d"}) {
            board.report("t", node, warm, 0);
        }
        board.report("t", "c", cold, 0);
        board.report("t", "e", Heat.costNanos(1e8), 0);
        String[] nodes = {"a", "b", "c", "d", "e"};
        GroupHeats<String, String> together = board.group("t", nodes, Placement.LOCAL, 0);
        GroupHeats<String, String> apart = board.group("t", nodes, new int[] {3, 5}, Placement.LOCAL, 0);
        board.report("t", "c", Heat.costNanos(4e6 * 1.05), 0);
        assertTrue(apart.areCurrent());
        board.report("t", "c", warm, 0);
        assertTrue(together.areCurrent());
        assertFalse(apart.areCurrent());
    }

    /** A coordinator's part of the requests is in plans of local alone; their sum is where heats are not equal. */
    @Test
    void underAffinityRatesOutdateByTheirSumAndOnlyBesideUnequalHeats() {
        for (String node : new String[] {"a", "b"}) {
            board.report("t", node, HALF, RequestRate.perSecond(100), 0);
            board.report("u", node, node.equals("a") ? HALF : TENTH, RequestRate.perSecond(100), 0);
        }
        String[] nodes = {"a", "b"};
        GroupHeats<String, String> local = board.group("t", nodes, Placement.LOCAL, 0);
        GroupHeats<String, String> equal = board.group("t", nodes, Placement.AFFINITY, 0);
        GroupHeats<String, String> unequal = board.group("u", nodes, Placement.AFFINITY, 0);
        report("t", 130, 80);
        report("u", 130, 80);
        assertFalse(local.areCurrent());
        assertTrue(equal.areCurrent());
        assertTrue(unequal.areCurrent());
        report("t", 1000, 1000);
        report("u", 130, 130);
        assertTrue(equal.areCurrent());
        assertFalse(unequal.areCurrent());
    }

    private void report(String table, double ofA, double ofB) {
        board.report(table, "a", board.heatOf(table, "a", 0), RequestRate.perSecond(ofA), 0);
        board.report(table, "b", board.heatOf(table, "b", 0), RequestRate.perSecond(ofB), 0);
    }

    /** After any changes: current means that a plan of what the board has now would hardly have other shares. */
    @Property(tries = 300, seed = "71")
    void agreesWithASecondReading(@ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        HeatBoard<Integer, Integer> changing = new HeatBoard<>(STALE, BalanceSettings.defaults());
        Integer[] nodes = {0, 1, 2};
        GroupHeats<Integer, Integer> group = changing.group(0, nodes, Placement.LOCAL, 0);
        for (int step = 0; step < 100; step++) {
            int node = random.nextInt(5);
            int kind = random.nextInt(20);
            if (kind == 0) {
                changing.forget(node);
            } else if (kind == 1) {
                changing.forgetTable(random.nextInt(2));
            } else if (kind == 2) {
                changing.restarted(node, 0);
            } else {
                RequestRate rate = random.nextInt(4) == 0 ? RequestRate.perSecond(random.nextInt(2)) : null;
                changing.report(random.nextInt(2), node, Heat.ofCodes(1, 250 + random.nextInt(6)), rate, 0);
            }
            GroupHeats<Integer, Integer> now = changing.group(0, nodes, Placement.LOCAL, 0);
            assertTrue(areClose(group, now) || !group.areCurrent(), "current although changed");
            group = random.nextInt(3) == 0 ? now : group;
        }
    }

    private static boolean areClose(GroupHeats<Integer, Integer> before, GroupHeats<Integer, Integer> now) {
        ReadPlan old = plan(before);
        ReadPlan fresh = plan(now);
        if (old == null || fresh == null) {
            return old == fresh;
        }
        for (int i = 0; i < old.size(); i++) {
            double factor = fresh.shareOf(i) / old.shareOf(i);
            if (factor > 4 / 3.0 || factor < 3 / 4.0) {
                return false;
            }
        }
        return true;
    }

    /** The shares of the group: equal rates and a coordinator that is no replica. */
    private static ReadPlan plan(GroupHeats<Integer, Integer> heats) {
        return ReadPlan.of(heats.heats(), 1, -1, BalanceSettings.defaults().withPlacement(Placement.AFFINITY));
    }
}
