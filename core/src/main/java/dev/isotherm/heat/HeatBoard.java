// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import dev.isotherm.common.Allowed;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * The known heat of every table on every node, with its age. The known heat is the node's last report, or a cold heat
 * after a restart.
 *
 * <p>Thread safe. Queries take no lock and, but for {@link #group}, allocate nothing; nor does a report that repeats
 * the present heat. Each table has a version: a caller that reads the version before the heats needs to read again only
 * when the version has changed, or for heats that grow stale, which {@link GroupHeats#areCurrent(long)} looks at. All
 * instants are of one monotonic clock.
 */
public final class HeatBoard<T, N> {
    private volatile long staleAfterNanos;
    private volatile BalanceSettings settings;
    private final Map<T, TableBeliefs<N>> tables = new ConcurrentHashMap<>();
    private final WarmedNodes<T, N> warmed = new WarmedNodes<>();
    private final LeftOutNodes<N> leftOut = new LeftOutNodes<>();
    // One sequence for all tables: a table that is forgotten and reported again gets no version twice.
    private long lastVersion;

    /**
     * @param staleAfterNanos age at which a report no longer counts, 1 or above
     * @param settingsForCold the settings with the read time of a restarted node
     */
    public HeatBoard(long staleAfterNanos, BalanceSettings settingsForCold) {
        use(staleAfterNanos, settingsForCold);
    }

    /**
     * Follows other settings from now on, without a new version of any table: callers know of the change.
     *
     * @param staleAfter age at which a report no longer counts, nanoseconds, 1 or above
     * @param settingsForCold the settings with the read time of a restarted node
     */
    public final void use(long staleAfter, BalanceSettings settingsForCold) {
        if (staleAfter < 1) {
            throw Allowed.refusal("staleAfterNanos", staleAfter, "1 or above");
        }
        if (settingsForCold == null) {
            throw Allowed.refusal("settingsForCold", null, "settings");
        }
        staleAfterNanos = staleAfter;
        settings = settingsForCold;
    }

    /** As {@link #report(Object, Object, Heat, RequestRate, long)}, for a node that does not tell its rate. */
    public boolean report(T table, N node, Heat heat, long nowNanos) {
        return report(table, node, heat, null, nowNanos);
    }

    /** As {@link #report(Object, Object, Heat, RequestRate, Placement, long)}, for a node that does not vote. */
    public boolean report(T table, N node, Heat heat, RequestRate rate, long nowNanos) {
        return report(table, node, heat, rate, null, nowNanos);
    }

    /**
     * Notes a node's report of its heat for a table.
     *
     * @param rate the rate at which the node coordinates the table's reads, null if it is not known
     * @param vote the placement that the node votes for, null for none
     * @return true if the known heat, rate or vote has changed, where a stale heat counts as no heat: the table then
     *     has a new version
     */
    public boolean report(T table, N node, Heat heat, RequestRate rate, Placement vote, long nowNanos) {
        if (heat == null) {
            throw Allowed.refusal("heat", null, "any heat");
        }
        return refreshed(table, node, heat, rate, vote, nowNanos)
                ? false
                : changed(table, node, heat, rate, vote, nowNanos);
    }

    private boolean refreshed(T table, N node, Heat heat, RequestRate rate, Placement vote, long nowNanos) {
        Belief belief = beliefOf(table, node);
        if (belief == null
                || belief.heat != heat
                || belief.rate != rate
                || belief.vote != vote
                || belief.isStale(staleAfterNanos, nowNanos)) {
            return false;
        }
        belief.refresh(nowNanos);
        return true;
    }

    private synchronized boolean changed(T table, N node, Heat heat, RequestRate rate, Placement vote, long nowNanos) {
        if (refreshed(table, node, heat, rate, vote, nowNanos)) {
            return false;
        }
        TableBeliefs<N> beliefs = tables.computeIfAbsent(table, t -> new TableBeliefs<>());
        beliefs.put(node, new Belief(heat, rate, vote, nowNanos));
        // The version is written after the heat: a thread that sees the new version also sees the heat.
        beliefs.version = ++lastVersion;
        return true;
    }

    /**
     * Notes that a node has restarted. For every table on the board the node is cold from now on (miss ratio 1, or the
     * settings' cold read time if the other nodes report times) and its rate is not known, until it reports.
     */
    public synchronized void restarted(N node, long nowNanos) {
        leftOut.forget(node);
        for (Map.Entry<T, TableBeliefs<N>> table : tables.entrySet()) {
            report(table.getKey(), node, table.getValue().coldHeat(node, settings), nowNanos);
        }
    }

    /**
     * Notes that copies of this coordinator's reads of some tables, and of no others, warm a node, which the plans
     * {@linkplain SparedReplicas spare} then. A table for which that is new, or no longer so, has a new version.
     *
     * @param tablesNow without one, none do. Not to be changed afterwards
     */
    public synchronized void warmed(N node, Set<T> tablesNow) {
        for (T table : warmed.note(node, tablesNow)) {
            TableBeliefs<N> beliefs = tables.get(table);
            if (beliefs != null) {
                beliefs.version = ++lastVersion;
            }
        }
    }

    /**
     * Looks which of all nodes this coordinator leaves out of its reads. A node that begins to stand as left out, or
     * does so no more, gives its tables new versions.
     */
    public synchronized void lookWhoIsLeftOut(Iterable<N> nodes, Predicate<N> isLeftOut, long nowNanos) {
        for (N node : leftOut.look(nodes, isLeftOut, nowNanos)) {
            for (TableBeliefs<N> beliefs : tables.values()) {
                if (beliefs.byNode.containsKey(node)) {
                    beliefs.version = ++lastVersion;
                }
            }
        }
    }

    /** Whether the node is left out of reads, or was so {@linkplain LeftOutNodes lately}. */
    public boolean isLeftOut(N node) {
        return leftOut.has(node);
    }

    /** How this coordinator uses the node, as plans of the placement ask for it. */
    Standing standingOf(T table, N node, Placement placement) {
        boolean isLeftOut = placement == Placement.AFFINITY && isLeftOut(node);
        return warmed.has(table, node) ? Standing.WARMED : isLeftOut ? Standing.LEFT_OUT : Standing.USED;
    }

    /** Removes a node; a table without other nodes is removed too. */
    public synchronized void forget(N node) {
        warmed.note(node, Set.of());
        leftOut.forget(node);
        for (Map.Entry<T, TableBeliefs<N>> table : tables.entrySet()) {
            TableBeliefs<N> beliefs = table.getValue();
            if (beliefs.remove(node)) {
                beliefs.version = ++lastVersion;
            }
            if (beliefs.byNode.isEmpty()) {
                tables.remove(table.getKey());
            }
        }
    }

    /** Removes a table. */
    public synchronized void forgetTable(T table) {
        TableBeliefs<N> beliefs = tables.remove(table);
        if (beliefs != null) {
            beliefs.version = ++lastVersion;
        }
    }

    /** A number that changes whenever the table's known heats change; 0 for a table without one. */
    public long version(T table) {
        TableBeliefs<N> beliefs = tables.get(table);
        return beliefs == null ? 0 : beliefs.version;
    }

    /**
     * A source of the table's version without a look-up of the table. The source is valid until its number changes;
     * then ask for another source.
     */
    public LongSupplier versionSource(T table) {
        TableBeliefs<N> beliefs = tables.get(table);
        return beliefs == null ? () -> version(table) : beliefs;
    }

    /** The node's known heat, or null if there is none or it is stale. */
    public Heat heatOf(T table, N node, long nowNanos) {
        Belief belief = beliefOf(table, node);
        return isKnown(belief, nowNanos) ? belief.heat : null;
    }

    /** The rate at which the node coordinates the table's reads; null if it is not known or the heat is stale. */
    public RequestRate rateOf(T table, N node, long nowNanos) {
        Belief belief = beliefOf(table, node);
        return isKnown(belief, nowNanos) ? belief.rate : null;
    }

    /** The placement that the node votes for; null for none, or if the heat is stale. */
    public Placement voteOf(T table, N node, long nowNanos) {
        Belief belief = beliefOf(table, node);
        return isKnown(belief, nowNanos) ? belief.vote : null;
    }

    /**
     * The votes of those nodes whose heat is known.
     *
     * @param counts the nodes that are asked
     * @param isDown whether such a node is down; its heat is known for some time
     */
    public PlacementVotes votes(T table, Predicate<N> counts, Predicate<N> isDown, long nowNanos) {
        PlacementVotes votes = new PlacementVotes();
        for (N node : nodes(table)) {
            Belief belief = counts.test(node) ? beliefOf(table, node) : null;
            if (isKnown(belief, nowNanos)) {
                votes.add(belief.vote, isDown.test(node));
            }
        }
        return votes;
    }

    /**
     * The replicas that a request for the table contacts, in the mean: the reads that a node serves for each request
     * that a node coordinates. NaN where no rate is known, or nothing is coordinated.
     *
     * @param served the reads that one of the nodes serves, null if it is not known; those of equal nodes are equal
     * @param counts the nodes among which requests and reads are spread
     */
    public double contactsPerRequest(T table, RequestRate served, Predicate<N> counts, long nowNanos) {
        double sum = 0;
        int known = 0;
        for (N node : nodes(table)) {
            RequestRate rate = counts.test(node) ? rateOf(table, node, nowNanos) : null;
            if (rate != null) {
                sum += rate.perSecond();
                known++;
            }
        }
        return served == null || sum == 0 ? Double.NaN : served.perSecond() * known / sum;
    }

    /**
     * The requests per second that some nodes coordinate together, of all tables on the board. A node whose rates are
     * not known counts as the mean of the others.
     *
     * @return 0 where no rate is known
     */
    public double requestsPerSecond(N[] nodes, long nowNanos) {
        return RequestSums.ofAll(nodes, node -> requestsPerSecondOf(node, nowNanos));
    }

    /** The requests per second that the node coordinates, of all tables on the board; NaN where no rate is known. */
    double requestsPerSecondOf(N node, long nowNanos) {
        double sum = Double.NaN;
        for (TableBeliefs<N> table : tables.values()) {
            Belief belief = table.byNode.get(node);
            if (isKnown(belief, nowNanos) && belief.rate != null) {
                sum = (Double.isNaN(sum) ? 0 : sum) + belief.rate.perSecond();
            }
        }
        return sum;
    }

    /** Whether all nodes whose rates are known coordinate no reads of the table; false where no rate is known. */
    public boolean isIdle(T table, long nowNanos) {
        boolean isIdle = false;
        for (N node : nodes(table)) {
            RequestRate rate = rateOf(table, node, nowNanos);
            if (rate != null && rate != RequestRate.NONE) {
                return false;
            }
            isIdle |= rate != null;
        }
        return isIdle;
    }

    /**
     * The time since the node's last report or restart, stale or not; -1 if nothing is known of the node for the table.
     */
    public long ageNanos(T table, N node, long nowNanos) {
        Belief belief = beliefOf(table, node);
        return belief == null ? -1 : Math.max(0, nowNanos - belief.heardNanos());
    }

    /**
     * Whether a node should tell its heat for a table. It does once it has read the table; or once others have and its
     * own rate of coordinated reads is known. A cold node that no client uses as coordinator would otherwise be taken
     * for one with as many clients as the others: they would leave all of its share to itself, for ever.
     *
     * @param hasRead whether the node has read the table since it started
     * @param rate the rate at which the node coordinates the table's reads, null if it is not known
     */
    public boolean isWorthTelling(T table, N self, boolean hasRead, RequestRate rate) {
        return hasRead || rate != null && nodes(table).stream().anyMatch(node -> !node.equals(self));
    }

    /** The tables with a known heat: a live, unmodifiable view. */
    public Set<T> tables() {
        return Collections.unmodifiableSet(tables.keySet());
    }

    /** The nodes with a known heat for a table: a live, unmodifiable view. */
    public Set<N> nodes(T table) {
        TableBeliefs<N> beliefs = tables.get(table);
        return beliefs == null ? Collections.emptySet() : Collections.unmodifiableSet(beliefs.byNode.keySet());
    }

    /**
     * The known heats of a replica group, with the means to see whether they have changed.
     *
     * @param nodes the group's nodes; not to be changed afterwards
     * @param placement that of the plans which are made of them
     */
    public GroupHeats<T, N> group(T table, N[] nodes, Placement placement, long nowNanos) {
        return group(table, nodes, new int[] {nodes.length}, placement, nowNanos);
    }

    /**
     * As {@link #group(Object, Object[], Placement, long)}, for a group of several parts that have plans of their own,
     * as the replicas of several datacenters.
     *
     * @param nodes one part after another; not to be changed afterwards
     * @param ends the index after the last node of each part, ascending; not to be changed afterwards
     */
    public GroupHeats<T, N> group(T table, N[] nodes, int[] ends, Placement placement, long nowNanos) {
        return new GroupHeats<>(this, table, nodes, ends, placement, nowNanos);
    }

    BalanceSettings settings() {
        return settings;
    }

    Belief beliefOf(T table, N node) {
        TableBeliefs<N> beliefs = tables.get(table);
        return beliefs == null ? null : beliefs.byNode.get(node);
    }

    boolean isKnown(Belief belief, long nowNanos) {
        return belief != null && !belief.isStale(staleAfterNanos, nowNanos);
    }
}
