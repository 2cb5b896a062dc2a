// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import java.util.function.LongSupplier;

/**
 * The known heats of a table on one replica group, read from a {@link HeatBoard}, and whether the board still has the
 * same. Thread safe.
 */
public final class GroupHeats<T, N> {
    /*
     * A change of any node's heat gives the table a new version, and a cluster of a thousand nodes has one about each
     * second. The version only says that a second look is due: at the heats of this group. If they are the same, the
     * look need not be repeated before the next version.
     */
    /** A version and the references to seven objects, of which the heats own three. */
    private static final int FIELD_BYTES = Long.BYTES + 7 * HeapBytes.REFERENCE;

    private final HeatBoard<T, N> board;
    private final T table;
    private final N[] nodes;
    private final Belief[] beliefs;
    private final Heat[] heats;
    private final RequestRate[] rates;
    private final LongSupplier versions;
    private volatile long version;

    GroupHeats(HeatBoard<T, N> board, T table, N[] nodes, long nowNanos) {
        this.board = board;
        this.table = table;
        this.nodes = nodes;
        this.beliefs = new Belief[nodes.length];
        this.heats = new Heat[nodes.length];
        this.rates = new RequestRate[nodes.length];
        // The version is read before the heats: a change in between is then found by the next look at the version.
        this.versions = board.versionSource(table);
        this.version = versions.getAsLong();
        for (int i = 0; i < nodes.length; i++) {
            beliefs[i] = board.beliefOf(table, nodes[i]);
            if (board.isKnown(beliefs[i], nowNanos)) {
                heats[i] = beliefs[i].heat;
                rates[i] = beliefs[i].rate;
            }
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

    /**
     * Whether no heat and no rate of the group has changed, apart from growing stale. Takes no lock and allocates
     * nothing; costs one comparison while no heat of the table has changed.
     */
    public boolean areCurrent() {
        long latest = versions.getAsLong();
        return latest == version || areSameAt(latest);
    }

    private boolean areSameAt(long latest) {
        // A table that was forgotten, or had no heat before, has another source of versions.
        if (board.versionSource(table) != versions) {
            return false;
        }
        for (int i = 0; i < nodes.length; i++) {
            if (!isSame(i, board.beliefOf(table, nodes[i]))) {
                return false;
            }
        }
        version = latest;
        return true;
    }

    private boolean isSame(int i, Belief now) {
        return now == beliefs[i] || now != null && now.heat == heats[i] && now.rate == rates[i];
    }

    /** Whether no heat and no rate of the group has changed, and none has grown stale. */
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
        return HeapBytes.object(FIELD_BYTES) + 3 * HeapBytes.array(nodes.length, HeapBytes.REFERENCE);
    }
}
