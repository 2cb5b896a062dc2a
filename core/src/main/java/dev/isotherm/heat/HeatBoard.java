// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import dev.isotherm.common.Allowed;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * What this node believes about the heat of every table on every node, with its age.
 *
 * <p>Thread safe. Questions take no lock and allocate nothing; neither does a report that only
 * repeats what is believed already. Each table has a version: whoever reads the version first and
 * the heats after it needs to look again only when the version is another one or
 * {@link #staleAtNanos} has passed. All instants are of one monotonic clock of the caller's.
 */
public final class HeatBoard<T, N> {
    private final long staleAfterNanos;
    private final BalanceSettings settings;
    private final Map<T, TableBeliefs<N>> tables = new ConcurrentHashMap<>();
    // One sequence for all tables: a table that is forgotten and comes back gets no version twice.
    private long lastVersion;

    /**
     * @param staleAfterNanos age at which a belief no longer counts, 1 or above
     * @param settingsForCold where the read time of a restarted node comes from
     */
    public HeatBoard(long staleAfterNanos, BalanceSettings settingsForCold) {
        if (staleAfterNanos < 1) {
            throw Allowed.refusal("staleAfterNanos", staleAfterNanos, "1 or above");
        }
        if (settingsForCold == null) {
            throw Allowed.refusal("settingsForCold", null, "settings");
        }
        this.staleAfterNanos = staleAfterNanos;
        this.settings = settingsForCold;
    }

    /**
     * Takes note of a node's heat for a table.
     *
     * @return true when the heat believed, none or a stale one being no heat, is now another one:
     *     the table then has a new version
     */
    public boolean report(T table, N node, Heat heat, long nowNanos) {
        if (heat == null) {
            throw Allowed.refusal("heat", null, "any heat");
        }
        return refreshed(table, node, heat, nowNanos) ? false : changed(table, node, heat, nowNanos);
    }

    private boolean refreshed(T table, N node, Heat heat, long nowNanos) {
        Belief belief = beliefOf(table, node);
        if (belief == null || belief.heat != heat || belief.isStale(staleAfterNanos, nowNanos)) {
            return false;
        }
        belief.refresh(nowNanos);
        return true;
    }

    private synchronized boolean changed(T table, N node, Heat heat, long nowNanos) {
        if (refreshed(table, node, heat, nowNanos)) {
            return false;
        }
        TableBeliefs<N> beliefs = tables.computeIfAbsent(table, t -> new TableBeliefs<>());
        beliefs.byNode.put(node, new Belief(heat, nowNanos));
        // The version after the belief: who sees the new version sees the belief too.
        beliefs.version = ++lastVersion;
        return true;
    }

    /**
     * Takes note that a node has restarted: for every table on the board it is cold as of now
     * (miss ratio 1, or the settings' cold read time where the others report times), until it
     * reports itself.
     */
    public synchronized void restarted(N node, long nowNanos) {
        for (Map.Entry<T, TableBeliefs<N>> table : tables.entrySet()) {
            report(table.getKey(), node, table.getValue().coldHeat(node, settings), nowNanos);
        }
    }

    /** Takes a node off the board; a table of which nothing else is believed goes with it. */
    public synchronized void forget(N node) {
        for (Map.Entry<T, TableBeliefs<N>> table : tables.entrySet()) {
            TableBeliefs<N> beliefs = table.getValue();
            if (beliefs.byNode.remove(node) != null) {
                beliefs.version = ++lastVersion;
            }
            if (beliefs.byNode.isEmpty()) {
                tables.remove(table.getKey());
            }
        }
    }

    /** Takes a table off the board. */
    public synchronized void forgetTable(T table) {
        TableBeliefs<N> beliefs = tables.remove(table);
        if (beliefs != null) {
            beliefs.version = ++lastVersion;
        }
    }

    /** A number that is another one after each change of the table's heats; 0 when nothing is believed of it. */
    public long version(T table) {
        TableBeliefs<N> beliefs = tables.get(table);
        return beliefs == null ? 0 : beliefs.version;
    }

    /**
     * What tells the table's version without looking the table up: the same number as {@link #version}
     * for as long as it does not change; once it has, ask for another source.
     */
    public LongSupplier versionSource(T table) {
        TableBeliefs<N> beliefs = tables.get(table);
        return beliefs == null ? () -> version(table) : beliefs;
    }

    /** The heat believed, or null when none was reported or it is stale. */
    public Heat heatOf(T table, N node, long nowNanos) {
        Belief belief = beliefOf(table, node);
        return belief == null || belief.isStale(staleAfterNanos, nowNanos) ? null : belief.heat;
    }

    /** How long ago the node was last heard of for the table, stale or not; -1 when never. */
    public long ageNanos(T table, N node, long nowNanos) {
        Belief belief = beliefOf(table, node);
        return belief == null ? -1 : Math.max(0, nowNanos - belief.heardNanos());
    }

    /**
     * The first instant at which the heat of one of the nodes is stale unless it is heard of again;
     * it may have passed. Instants compare by their difference. {@link Long#MIN_VALUE} is no instant:
     * it means that of one of the nodes nothing is believed at all, which only a new version can change.
     *
     * @throws IllegalArgumentException when there are no nodes
     */
    public long staleAtNanos(T table, Collection<N> nodes) {
        if (nodes.isEmpty()) {
            throw Allowed.refusal("nodes", nodes, "one node or more");
        }
        boolean first = true;
        long oldest = 0;
        for (N node : nodes) {
            Belief belief = beliefOf(table, node);
            if (belief == null) {
                return Long.MIN_VALUE;
            }
            long heard = belief.heardNanos();
            if (first || heard - oldest < 0) {
                oldest = heard;
            }
            first = false;
        }
        return oldest + staleAfterNanos;
    }

    /** The tables of which something is believed: a live view that cannot be changed. */
    public Set<T> tables() {
        return Collections.unmodifiableSet(tables.keySet());
    }

    /** The nodes of which something is believed for a table: a live view that cannot be changed. */
    public Set<N> nodes(T table) {
        TableBeliefs<N> beliefs = tables.get(table);
        return beliefs == null ? Collections.emptySet() : Collections.unmodifiableSet(beliefs.byNode.keySet());
    }

    private Belief beliefOf(T table, N node) {
        TableBeliefs<N> beliefs = tables.get(table);
        return beliefs == null ? null : beliefs.byNode.get(node);
    }
}
