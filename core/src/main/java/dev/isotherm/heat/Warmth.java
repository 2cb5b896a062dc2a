// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import dev.isotherm.heat.Heat.Kind;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;

/**
 * How warm a node is: what a read costs it, in costs of its peers, in the table in which that is most. Immutable.
 *
 * @param <T> the tables
 */
public final class Warmth<T> {
    /** The table in which the node is coldest; null if it cannot be compared in any. */
    public final T coldestTable;
    /** The node's cost over the median of its peers' in that table; NaN without one. */
    public final double timesPeers;

    private Warmth(T coldestTable, double timesPeers) {
        this.coldestTable = coldestTable;
        this.timesPeers = timesPeers;
    }

    /**
     * In the table in which a node is coldest.
     *
     * @param timesPeers what a read of each table costs it, in costs of its peers, as {@link #timesPeers}
     */
    public static <T> Warmth<T> of(Map<T, Double> timesPeers) {
        T coldest = null;
        double most = Double.NaN;
        for (Map.Entry<T, Double> each : timesPeers.entrySet()) {
            double times = each.getValue();
            // Also false where there are no peers: NaN.
            if (times > most || coldest == null && times > 0) {
                coldest = each.getKey();
                most = times;
            }
        }
        return new Warmth<>(coldest, most);
    }

    /**
     * The node's cost over the median of its peers' whose heat is of the same kind, for each counted table of which the
     * node has told its heat; NaN without such a peer. Below the miss floor, and the time of a warm read, all are
     * equally warm.
     *
     * @param counts the tables that are compared
     * @param isPeer the nodes on the board that it is compared with; itself may be one
     */
    public static <T, N> Map<T, Double> timesPeers(
            HeatBoard<T, N> board,
            Predicate<T> counts,
            Predicate<N> isPeer,
            N node,
            BalanceSettings settings,
            long nowNanos) {
        Map<T, Double> times = new HashMap<>();
        for (T table : board.tables()) {
            Heat own = board.heatOf(table, node, nowNanos);
            if (own != null && counts.test(table)) {
                double peers = medianOfPeers(board, table, isPeer, node, own.kind(), settings, nowNanos);
                times.put(table, cost(own, settings) / peers);
            }
        }
        return times;
    }

    private static <T, N> double medianOfPeers(
            HeatBoard<T, N> board,
            T table,
            Predicate<N> isPeer,
            N node,
            Kind kind,
            BalanceSettings settings,
            long nowNanos) {
        return LowerMedian.of(board.nodes(table).stream()
                .filter(peer -> !peer.equals(node) && isPeer.test(peer))
                .map(peer -> board.heatOf(table, peer, nowNanos))
                .filter(heat -> heat != null && heat.kind() == kind)
                .mapToDouble(heat -> cost(heat, settings)));
    }

    private static double cost(Heat heat, BalanceSettings settings) {
        double least = heat.kind() == Kind.MISS_RATIO ? settings.missFloor() : settings.warmReadNanos();
        return Math.max(least, heat.value());
    }
}
