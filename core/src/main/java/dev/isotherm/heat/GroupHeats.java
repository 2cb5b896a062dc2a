// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import java.util.function.LongSupplier;

/**
 * The known heats of a table on one replica group, read from a {@link HeatBoard}, and whether those of the board are
 * still so close to them that plans need not change. Thread safe.
 */
public final class GroupHeats<T, N> {
    /*
     * A change of any node's heat gives the table a new version, and a cluster of a thousand nodes has one about each
     * second. The version only says that a second look is due: at the heats of this group. If they are the same, or
     * their drift does not matter, the look need not be repeated before the next version.
     */
    /** A version and the references to ten objects, of which the heats own five. */
    private static final int FIELD_BYTES = Long.BYTES + 10 * HeapBytes.REFERENCE;

    private final HeatBoard<T, N> board;
    private final T table;
    private final N[] nodes;
    /** The index after the last node of each part that has a plan of its own. */
    private final int[] ends;

    private final Placement placement;
    private final Heat[] heats;
    private final RequestRate[] rates;
    private final Standing[] standings;
    private final LongSupplier versions;
    /** What the board had at the last look; replaced as a whole. */
    private volatile Belief[] seen;

    private volatile long version;

    GroupHeats(HeatBoard<T, N> board, T table, N[] nodes, int[] ends, Placement placement, long nowNanos) {
        this.board = board;
        this.table = table;
        this.nodes = nodes;
        this.ends = ends;
        this.placement = placement;
        this.heats = new Heat[nodes.length];
        this.rates = new RequestRate[nodes.length];
        this.standings = new Standing[nodes.length];
        // The version is read before the heats: a change in between is then found by the next look at the version.
        this.versions = board.versionSource(table);
        this.version = versions.getAsLong();
        this.seen = look();
        for (int i = 0; i < nodes.length; i++) {
            if (board.isKnown(seen[i], nowNanos)) {
                heats[i] = seen[i].heat;
                rates[i] = seen[i].rate;
            }
            standings[i] = board.standingOf(table, nodes[i], placement);
        }
    }

    /** The heat of each node; null where it is not known. Not to be changed. */
    public Heat[] heats() {
        return heats;
    }

    /** The rate at which each node coordinates the table's reads; null where it is not known. Not to be changed. */
    public RequestRate[] rates() {
        return rates;
    }

    /** How this coordinator uses each node besides. Not to be changed. */
    public Standing[] standings() {
        return standings;
    }

    private Belief[] look() {
        Belief[] beliefs = new Belief[nodes.length];
        for (int i = 0; i < nodes.length; i++) {
            beliefs[i] = board.beliefOf(table, nodes[i]);
        }
        return beliefs;
    }

    /**
     * Whether no heat of the group, and no rate that its plans are made of, has changed by more than
     * {@linkplain PlanDrift matters}, apart from growing stale, and each node stands as it did. Takes no lock and
     * allocates nothing unless one has changed; costs one comparison while no heat of the table has changed.
     */
    public boolean areCurrent() {
        long latest = versions.getAsLong();
        return latest == version || areCloseAt(latest);
    }

    private boolean areCloseAt(long latest) {
        // A table that was forgotten, or had no heat before, has another source of versions.
        if (board.versionSource(table) != versions) {
            return false;
        }
        Belief[] before = seen;
        boolean isSame = true;
        for (int i = 0; i < nodes.length; i++) {
            if (board.standingOf(table, nodes[i], placement) != standings[i]) {
                return false;
            }
            isSame &= isSame(i, before[i], board.beliefOf(table, nodes[i]));
        }
        if (!isSame) {
            Belief[] now = look();
            if (hasDrifted(now)) {
                return false;
            }
            seen = now;
        }
        version = latest;
        return true;
    }

    private boolean isSame(int i, Belief before, Belief now) {
        // A heat that had grown stale becomes known by its repetition.
        return now == before || now != null && heats[i] != null && now.heat == before.heat && now.rate == before.rate;
    }

    private boolean hasDrifted(Belief[] now) {
        int from = 0;
        for (int end : ends) {
            if (PlanDrift.matters(heats, rates, now, from, end, board.settings(), placement)) {
                return true;
            }
            from = end;
        }
        return false;
    }

    /** As {@link #areCurrent()}, and none has grown stale. */
    public boolean areCurrent(long nowNanos) {
        if (!areCurrent()) {
            return false;
        }
        for (int i = 0; i < nodes.length; i++) {
            if (board.isKnown(board.beliefOf(table, nodes[i]), nowNanos) != (heats[i] != null)) {
                return false;
            }
        }
        return true;
    }

    /** What the object takes on the heap, without the nodes and what belongs to the board. */
    public long bytes() {
        return HeapBytes.object(FIELD_BYTES)
                + HeapBytes.array(ends.length, Integer.BYTES)
                + 4 * HeapBytes.array(nodes.length, HeapBytes.REFERENCE);
    }
}
