// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class HeatSummaryTest {
    private static final long STALE_NANOS = 1_000;

    private final HeatBoard<String, Integer> board = new HeatBoard<>(STALE_NANOS, BalanceSettings.defaults());

    @Property(seed = "105")
    void leastAndMostAreThoseOfAllNodes(
            @ForAll @Size(min = 1, max = 20) List<@DoubleRange(min = 0, max = 1) Double> ratios) {
        HeatBoard<String, Integer> board = new HeatBoard<>(STALE_NANOS, BalanceSettings.defaults());
        for (int node = 0; node < ratios.size(); node++) {
            board.report("t", node, Heat.missRatio(ratios.get(node)), node);
        }
        HeatSummary summary = HeatSummary.of(board, "t", ratios.size());
        // As told: a heat is rounded when it is made.
        double[] told = ratios.stream()
                .mapToDouble(ratio -> Heat.missRatio(ratio).value())
                .sorted()
                .toArray();
        assertEquals(told[0], summary.least);
        assertEquals(told[told.length - 1], summary.most);
        assertEquals(ratios.size(), summary.oldestAgeNanos);
    }

    @Test
    void aStaleHeatCountsByItsAgeAlone() {
        board.report("t", 1, Heat.missRatio(1), 0);
        board.report("t", 2, Heat.missRatio(0.5), STALE_NANOS);
        HeatSummary summary = HeatSummary.of(board, "t", STALE_NANOS + 1);
        assertEquals(Heat.missRatio(0.5).value(), summary.most);
        assertEquals(STALE_NANOS + 1, summary.oldestAgeNanos);
    }

    @Test
    void differentKindsAreNotCompared() {
        board.report("t", 1, Heat.missRatio(1), 0);
        board.report("t", 2, Heat.readTimeNanos(1_000), 0);
        HeatSummary summary = HeatSummary.of(board, "t", 1);
        assertEquals(Double.NaN, summary.least);
        assertEquals(Double.NaN, summary.most);
    }

    @Test
    void ofAnUnknownTableNothingIsKnown() {
        HeatSummary summary = HeatSummary.of(board, "t", 1);
        assertEquals(Double.NaN, summary.least);
        assertEquals(-1, summary.oldestAgeNanos);
    }
}
