// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HeatBoardTest {
    private static final long STALE = 1000;
    private static final Heat HALF = Heat.missRatio(0.5);
    private static final Heat TENTH = Heat.missRatio(0.1);
    private static final Heat SLOW = Heat.readTimeNanos(5e6);

    private HeatBoard<String, String> board;

    @BeforeEach
    void anEmptyBoard() {
        board = new HeatBoard<>(STALE, BalanceSettings.defaults());
    }

    @Test
    void anEmptyBoardKnowsNothing() {
        assertEquals(0, board.version("t"));
        assertNull(board.heatOf("t", "a", 0));
        assertEquals(-1, board.ageNanos("t", "a", 0));
        assertTrue(board.tables().isEmpty());
        assertTrue(board.nodes("t").isEmpty());
    }

    @Test
    void aNewHeatIsANewVersionAndARepeatedOneOnlyYounger() {
        assertTrue(board.report("t", "a", HALF, 10));
        long version = board.version("t");
        assertNotEquals(0, version);
        assertFalse(board.report("t", "a", HALF, 500));
        assertEquals(version, board.version("t"));
        assertEquals(100, board.ageNanos("t", "a", 600));
        assertTrue(board.report("t", "a", TENTH, 510));
        assertNotEquals(version, board.version("t"));
        assertSame(TENTH, board.heatOf("t", "a", 511));
    }

    @Test
    void aTableIsIdleWhereAllWhoSaySoCoordinateNone() {
        assertFalse(board.isIdle("t", 0));
        board.report("t", "a", HALF, 0);
        assertFalse(board.isIdle("t", 0), "its rate is not known");
        board.report("t", "b", TENTH, RequestRate.NONE, 0);
        assertTrue(board.isIdle("t", 0));
        board.report("t", "a", HALF, RequestRate.perSecond(0.2), 0);
        assertFalse(board.isIdle("t", 0));
        assertFalse(board.isIdle("t", STALE), "all is stale");
    }

    @Test
    void otherSettingsHoldForWhatIsKnownAlready() {
        board.report("t", "a", SLOW, 0);
        board.report("t", "b", SLOW, 0);
        assertSame(SLOW, board.heatOf("t", "a", STALE - 1));
        board.use(STALE / 2, new BalanceSettings(Placement.LOCAL, 0.05, 0.02, 1_000, 7_000_000));
        assertSame(SLOW, board.heatOf("t", "a", STALE / 2 - 1));
        assertNull(board.heatOf("t", "a", STALE / 2));
        board.restarted("a", STALE);
        assertSame(Heat.readTimeNanos(7e6), board.heatOf("t", "a", STALE));
        assertThrows(IllegalArgumentException.class, () -> board.use(0, BalanceSettings.defaults()));
    }

    @Test
    void aHeatIsWorthTellingOnceTheTableIsReadHereOrElsewhereByKnownCoordinators() {
        assertTrue(board.isWorthTelling("t", "a", true, null));
        assertFalse(board.isWorthTelling("t", "a", false, RequestRate.NONE));
        board.report("t", "a", HALF, 10);
        assertFalse(board.isWorthTelling("t", "a", false, RequestRate.NONE), "only its own heat is known");
        board.report("t", "b", HALF, 10);
        assertTrue(board.isWorthTelling("t", "a", false, RequestRate.NONE));
        assertFalse(board.isWorthTelling("t", "a", false, null), "clients may still return");
        assertFalse(board.isWorthTelling("u", "a", false, RequestRate.NONE), "another table");
    }

    @Test
    void aReportFromBeforeDoesNotMakeAHeatOlder() {
        board.report("t", "a", HALF, 500);
        board.report("t", "a", HALF, 400);
        assertEquals(0, board.ageNanos("t", "a", 500));
        assertEquals(0, board.ageNanos("t", "a", 300));
    }

    @Test
    void aHeatGoesStaleAtItsAge() {
        board.report("t", "a", HALF, 10);
        board.report("t", "b", HALF, 20);
        assertSame(HALF, board.heatOf("t", "a", 1009));
        assertNull(board.heatOf("t", "a", 1010));
        assertSame(HALF, board.heatOf("t", "b", 1019));
        assertNull(board.heatOf("t", "b", 1020));
        assertEquals(1000, board.ageNanos("t", "a", 1010));
    }

    @Test
    void aStaleHeatHeardAgainIsAChange() {
        board.report("t", "a", HALF, 10);
        long version = board.version("t");
        assertTrue(board.report("t", "a", HALF, 2000));
        assertNotEquals(version, board.version("t"));
        assertSame(HALF, board.heatOf("t", "a", 2000));
    }

    @Test
    void ageingSurvivesAClockThatWraps() {
        long start = Long.MAX_VALUE - 500;
        board.report("t", "a", HALF, start);
        board.report("t", "b", HALF, start + 600);
        assertSame(HALF, board.heatOf("t", "a", start + 999));
        assertNull(board.heatOf("t", "a", start + 1000));
        assertSame(HALF, board.heatOf("t", "b", start + 1599));
        assertNull(board.heatOf("t", "b", start + 1600));
    }

    @Test
    void tablesAndNodesDoNotMix() {
        board.report("t", "a", HALF, 0);
        board.report("u", "b", TENTH, 0);
        assertNull(board.heatOf("t", "b", 0));
        assertNull(board.heatOf("u", "a", 0));
        assertEquals(Set.of("t", "u"), board.tables());
        assertEquals(Set.of("a"), board.nodes("t"));
        assertEquals(Set.of("b"), board.nodes("u"));
        assertThrows(UnsupportedOperationException.class, () -> board.tables().clear());
        assertThrows(UnsupportedOperationException.class, () -> board.nodes("t").clear());
    }

    @Test
    void aRestartedNodeIsColdInTheKindOfTheOthersUntilItReports() {
        board.report("ratios", "a", TENTH, 0);
        board.report("ratios", "b", TENTH, 0);
        board.report("times", "b", SLOW, 0);
        long ratios = board.version("ratios");
        board.restarted("a", 700);
        assertSame(Heat.missRatio(1), board.heatOf("ratios", "a", 700));
        assertSame(Heat.readTimeNanos(BalanceSettings.defaults().coldReadNanos()), board.heatOf("times", "a", 700));
        assertSame(TENTH, board.heatOf("ratios", "b", 700));
        assertNotEquals(ratios, board.version("ratios"));
        assertSame(Heat.missRatio(1), board.heatOf("ratios", "a", 1500));

        assertTrue(board.report("ratios", "a", HALF, 710));
        assertSame(HALF, board.heatOf("ratios", "a", 710));
    }

    @Test
    void whereTheOthersDoNotDecideTheNodesOwnKindDoes() {
        board.report("only", "a", SLOW, 0);
        board.report("split", "a", SLOW, 0);
        board.report("split", "b", SLOW, 0);
        board.report("split", "c", HALF, 0);
        board.report("others", "a", SLOW, 0);
        board.report("others", "b", HALF, 0);
        board.restarted("a", 1);
        assertSame(Heat.Kind.READ_TIME, board.heatOf("only", "a", 1).kind());
        assertSame(Heat.Kind.READ_TIME, board.heatOf("split", "a", 1).kind());
        assertSame(Heat.Kind.MISS_RATIO, board.heatOf("others", "a", 1).kind());
    }

    @Test
    void aRestartedNodePutsNoTableOnTheBoard() {
        board.restarted("a", 0);
        assertTrue(board.tables().isEmpty());
    }

    @Test
    void aForgottenNodeIsGoneFromEveryTable() {
        board.report("t", "a", HALF, 0);
        board.report("t", "b", HALF, 0);
        board.report("u", "a", HALF, 0);
        long version = board.version("t");
        board.forget("a");
        assertNull(board.heatOf("t", "a", 0));
        assertNotEquals(version, board.version("t"));
        assertEquals(0, board.version("u"));
        assertEquals(Set.of("t"), board.tables());
        version = board.version("t");
        board.forget("a");
        assertEquals(version, board.version("t"));
    }

    @Test
    void aTableThatComesBackGetsNoVersionTwice() {
        board.report("t", "a", HALF, 0);
        long version = board.version("t");
        board.forgetTable("t");
        assertEquals(0, board.version("t"));
        board.report("t", "a", TENTH, 0);
        assertNotEquals(version, board.version("t"));
    }

    @Test
    void whatCannotBeIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> board.report("t", "a", null, 0));
        assertThrows(IllegalArgumentException.class, () -> new HeatBoard<>(0, BalanceSettings.defaults()));
        assertThrows(IllegalArgumentException.class, () -> new HeatBoard<>(1, null));
    }

    @Test
    void aRateIsKnownUntilTheNodeRestartsAndChangesTheVersion() {
        HeatBoard<String, String> board = new HeatBoard<>(100, BalanceSettings.defaults());
        Heat heat = Heat.missRatio(0.5);
        RequestRate rate = RequestRate.perSecond(40);
        assertNull(board.rateOf("t", "a", 0));
        assertTrue(board.report("t", "a", heat, 0));
        assertNull(board.rateOf("t", "a", 0));
        assertTrue(board.report("t", "a", heat, rate, 1));
        assertFalse(board.report("t", "a", heat, rate, 2));
        assertSame(rate, board.rateOf("t", "a", 101));
        assertNull(board.rateOf("t", "a", 102), "stale");
        long version = board.version("t");
        board.restarted("a", 103);
        assertTrue(board.version("t") != version);
        assertNull(board.rateOf("t", "a", 103));
    }

    @Test
    void requestsAreThoseOfAllTablesAndAnUnknownRateCountsAsTheMean() {
        HeatBoard<String, String> board = new HeatBoard<>(1000, BalanceSettings.defaults());
        String[] nodes = {"a", "b", "c"};
        assertEquals(0, board.requestsPerSecond(nodes, 0), 0);
        RequestRate rate = RequestRate.perSecond(100);
        board.report("t", "a", Heat.missRatio(0.5), rate, 0);
        board.report("u", "a", Heat.costNanos(1e6), rate, 0);
        board.report("t", "b", Heat.missRatio(0.5), RequestRate.NONE, 0);
        board.report("t", "c", Heat.missRatio(1), null, 0);
        board.report("t", "d", Heat.missRatio(1), rate, 0);
        assertEquals(3 * rate.perSecond(), board.requestsPerSecond(nodes, 0), 1e-9);
        assertEquals(0, board.requestsPerSecond(nodes, 1000), 0, "all are stale");
    }

    @Test
    void sumsOfRequestsAreUsedForASecond() {
        HeatBoard<String, String> board = new HeatBoard<>(10_000_000_000L, BalanceSettings.defaults());
        RequestSums<String> sums = new RequestSums<>(board);
        String[] nodes = {"a", "b"};
        assertEquals(0, sums.requestsPerSecond(nodes, 0), 0, "no rate is known");
        RequestRate rate = RequestRate.perSecond(100);
        board.report("t", "a", Heat.missRatio(0.5), rate, 0);
        assertEquals(0, sums.requestsPerSecond(nodes, RequestSums.USED_NANOS - 1), 0);
        assertEquals(2 * rate.perSecond(), sums.requestsPerSecond(nodes, RequestSums.USED_NANOS), 1e-9);
        board.report("t", "b", Heat.missRatio(0.5), RequestRate.NONE, RequestSums.USED_NANOS);
        assertEquals(2 * rate.perSecond(), sums.requestsPerSecond(nodes, 2 * RequestSums.USED_NANOS - 1), 1e-9);
        assertEquals(rate.perSecond(), sums.requestsPerSecond(nodes, 2 * RequestSums.USED_NANOS), 1e-9);
    }

    /** Of many nodes a restart asks no one by one: the kinds are counted as nodes come, change and leave. */
    @Test
    void theKindOfARestartedNodeFollowsTheNodesThatAreThere() {
        HeatBoard<String, String> board = new HeatBoard<>(1000, BalanceSettings.defaults());
        board.report("t", "a", Heat.missRatio(0.5), 0);
        board.report("t", "b", Heat.costNanos(1e6), 0);
        board.report("t", "c", Heat.costNanos(1e6), 0);
        board.restarted("d", 1);
        assertEquals(Heat.Kind.COST, board.heatOf("t", "d", 1).kind());
        board.report("t", "b", Heat.missRatio(0.5), 2);
        board.forget("c");
        board.restarted("d", 3);
        assertEquals(Heat.Kind.MISS_RATIO, board.heatOf("t", "d", 3).kind(), "two of three told by others");
        board.forget("a");
        board.forget("b");
        board.report("t", "e", Heat.costNanos(1e6), 4);
        board.restarted("d", 5);
        assertEquals(Heat.Kind.COST, board.heatOf("t", "d", 5).kind(), "one other outweighs its own");
    }

    @Test
    void contactsAreTheReadsServedForEachRequestOfTheNodesThatCount() {
        RequestRate rate = RequestRate.perSecond(100);
        for (String node : new String[] {"a", "b", "d"}) {
            board.report("t", node, HALF, rate, Placement.AFFINITY, 0);
        }
        board.report("t", "c", HALF, RequestRate.NONE, 0);
        assertEquals(1.5, board.contactsPerRequest("t", rate, node -> !node.equals("d"), 0), 1e-9);
        assertEquals(Double.NaN, board.contactsPerRequest("t", null, node -> true, 0));
        assertEquals(Double.NaN, board.contactsPerRequest("t", rate, "c"::equals, 0), "nobody coordinates");
        assertEquals(Double.NaN, board.contactsPerRequest("t", rate, node -> true, STALE));
    }

    @Test
    void votesAreThoseOfTheNodesThatCount() {
        for (String node : new String[] {"a", "b", "d"}) {
            board.report("t", node, HALF, RequestRate.perSecond(1), Placement.AFFINITY, 0);
        }
        assertEquals(
                2, board.votes("t", node -> !node.equals("d"), node -> false, 0).nodes());
        assertSame(Placement.AFFINITY, board.voteOf("t", "a", 0));
        assertNull(board.voteOf("t", "c", 0));
    }
}
