// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

/** The known heats of one table on all nodes, in three numbers. Immutable. */
public final class HeatSummary {
    /** The least known heat, in the unit of its kind; NaN without one, and where nodes report different kinds. */
    public final double least;
    /** The most known heat; NaN as {@link #least}. */
    public final double most;
    /** The time since the node that has been silent for longest reported or restarted, stale or not; -1 without one. */
    public final long oldestAgeNanos;

    private HeatSummary(double least, double most, long oldestAgeNanos) {
        this.least = least;
        this.most = most;
        this.oldestAgeNanos = oldestAgeNanos;
    }

    /** Summarises what the board knows of a table; takes time in proportion to the number of nodes. */
    public static <T, N> HeatSummary of(HeatBoard<T, N> board, T table, long nowNanos) {
        double least = Double.NaN;
        double most = Double.NaN;
        long oldest = -1;
        Heat.Kind kind = null;
        boolean mixed = false;
        for (N node : board.nodes(table)) {
            oldest = Math.max(oldest, board.ageNanos(table, node, nowNanos));
            Heat heat = board.heatOf(table, node, nowNanos);
            if (heat != null) {
                mixed |= kind != null && kind != heat.kind();
                least = kind == null ? heat.value() : Math.min(least, heat.value());
                most = kind == null ? heat.value() : Math.max(most, heat.value());
                kind = heat.kind();
            }
        }
        return new HeatSummary(mixed ? Double.NaN : least, mixed ? Double.NaN : most, oldest);
    }
}
