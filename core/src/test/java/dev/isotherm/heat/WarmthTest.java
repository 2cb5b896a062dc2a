// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.isotherm.warming.ColdTables;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class WarmthTest {
    private static final BalanceSettings SETTINGS = BalanceSettings.defaults();
    private static final long STALE_NANOS = 1_000;

    private final HeatBoard<String, Integer> board = new HeatBoard<>(STALE_NANOS, SETTINGS);

    private Warmth<String> of(int node) {
        return of(node, peer -> true, 0);
    }

    private Warmth<String> of(int node, Predicate<Integer> isPeer, long nowNanos) {
        return Warmth.of(Warmth.timesPeers(board, table -> !table.equals("system"), isPeer, node, SETTINGS, nowNanos));
    }

    @Property(seed = "114")
    void itIsTheCostBesideTheMedianOfTheOthers(
            @ForAll @Size(min = 2, max = 9) List<@DoubleRange(min = 0, max = 1) Double> ratios) {
        HeatBoard<String, Integer> board = new HeatBoard<>(STALE_NANOS, SETTINGS);
        List<Double> costs = new ArrayList<>();
        for (int node = 0; node < ratios.size(); node++) {
            Heat heat = Heat.missRatio(ratios.get(node));
            board.report("t", node, heat, 0);
            costs.add(Math.max(SETTINGS.missFloor(), heat.value()));
        }
        double own = costs.remove(0);
        costs.sort(null);
        double expected = own / costs.get((costs.size() - 1) / 2);
        Warmth<String> warmth = Warmth.of(Warmth.timesPeers(board, table -> true, peer -> true, 0, SETTINGS, 0));
        assertEquals(expected, warmth.timesPeers, 1e-12);
        assertEquals("t", warmth.coldestTable);
    }

    /** Above the floors a node asks for copies as long as the balance tells it from its peers, and no longer. */
    @Property(seed = "115")
    void whoIsWarmEnoughToAskForNoCopiesGetsAnEqualPartOfTheReads(
            @ForAll @DoubleRange(min = 1e4, max = 1e9) double peers,
            @ForAll @DoubleRange(min = 1, max = 3) double times) {
        Assume.that(Math.abs(times / ColdTables.WARM_TIMES - 1) > 1e-9);
        boolean isWarm = times <= ColdTables.WARM_TIMES;
        assertEquals(isWarm, ReplicaCosts.areEqual(Heat.Kind.COST, peers, times * peers));
    }

    @Test
    void theColdestTableCounts() {
        board.report("warm", 1, Heat.missRatio(0.1), 0);
        board.report("warm", 2, Heat.missRatio(0.1), 0);
        board.report("cold", 1, Heat.missRatio(1), 0);
        board.report("cold", 2, Heat.missRatio(0), 0);
        assertEquals("cold", of(1).coldestTable);
        assertEquals(20, of(1).timesPeers, 1e-12);
        assertEquals("warm", of(2).coldestTable);
    }

    @Test
    void aRestartedNodeIsColdAndSilentOnesAreNot() {
        board.report("t", 1, Heat.costNanos(400_000), 0);
        board.report("t", 2, Heat.costNanos(20_000), 0);
        assertEquals(1, of(1).timesPeers, "both are faster than a warm read");
        board.restarted(1, 0);
        assertEquals(20, of(1).timesPeers, 1);
        assertNull(of(1, peer -> true, STALE_NANOS + 1).coldestTable);
    }

    /** Three that serve reads and three that never do: neither is judged by the other. */
    @Test
    void itIsComparedWithItsPeersAlone() {
        for (int node = 1; node <= 3; node++) {
            board.report("t", node, Heat.missRatio(node == 1 ? 1 : 0), 0);
            board.report("t", node + 3, Heat.missRatio(1), 0);
        }
        assertEquals(20, of(1, peer -> peer <= 3, 0).timesPeers, 1e-12);
        assertEquals(1, of(4, peer -> peer > 3, 0).timesPeers, 1e-12);
    }

    @Test
    void withoutAPeerOfItsKindNothingIsKnown() {
        board.report("t", 1, Heat.missRatio(1), 0);
        board.report("t", 2, Heat.readTimeNanos(1e6), 0);
        board.report("system", 1, Heat.missRatio(1), 0);
        board.report("system", 2, Heat.missRatio(0), 0);
        assertNull(of(1).coldestTable);
        assertEquals(Double.NaN, of(1).timesPeers);
    }
}
