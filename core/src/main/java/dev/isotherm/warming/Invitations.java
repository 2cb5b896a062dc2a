// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.warming;

import dev.isotherm.common.Allowed;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.DoubleSupplier;
import java.util.function.Predicate;

/**
 * The cold nodes that have asked a coordinator for copies of its reads. Thread safe; choosing takes no lock and
 * allocates nothing.
 *
 * @param <N> the nodes
 * @param <T> the tables, which compare by value
 */
public final class Invitations<N, T> {
    private final long lifeNanos;
    /** Replaced as a whole, never modified. */
    private volatile List<Entry<N, T>> entries = List.of();

    /** @param lifeNanos how long an invitation stands that is not repeated, above 0 */
    public Invitations(long lifeNanos) {
        if (lifeNanos < 1) {
            throw Allowed.refusal("lifeNanos", lifeNanos, "1 or above");
        }
        this.lifeNanos = lifeNanos;
    }

    /**
     * Notes a node's invitation, in place of an earlier one.
     *
     * @param fraction the part of the reads to copy
     * @param tables the tables; without one the node wants no copies any more. The set must not be modified.
     */
    public synchronized void invited(N node, double fraction, Set<T> tables, long nowNanos) {
        List<Entry<N, T>> kept = new ArrayList<>();
        for (Entry<N, T> entry : entries) {
            if (!entry.node.equals(node) && entry.stands(nowNanos)) {
                kept.add(entry);
            }
        }
        if (!tables.isEmpty()) {
            kept.add(new Entry<>(node, fraction, tables, nowNanos + lifeNanos));
        }
        entries = List.copyOf(kept);
    }

    /** Forgets the invitations that have ended. To be called now and then: an empty list costs a read nothing. */
    public void expire(long nowNanos) {
        List<Entry<N, T>> now = entries;
        for (int i = 0; i < now.size(); i++) {
            if (!now.get(i).stands(nowNanos)) {
                dropEnded(nowNanos);
                return;
            }
        }
    }

    private synchronized void dropEnded(long nowNanos) {
        List<Entry<N, T>> kept = new ArrayList<>(entries);
        kept.removeIf(entry -> !entry.stands(nowNanos));
        entries = List.copyOf(kept);
    }

    /** Whether no node has asked for copies of any table: nothing else needs to be looked at. */
    public boolean isEmpty() {
        return entries.isEmpty();
    }

    /**
     * Chooses a node to copy one read to. Of several that want it, the one that is drawn first gets it.
     *
     * @param random numbers in [0, 1)
     * @param serves whether the node can serve the read and does not already; asked of drawn nodes alone
     * @return the node, or null if the read is not copied
     */
    public N choose(T table, DoubleSupplier random, long nowNanos, Predicate<N> serves) {
        List<Entry<N, T>> now = entries;
        int size = now.size();
        if (size == 0) {
            return null;
        }
        int first = size == 1 ? 0 : (int) (random.getAsDouble() * size);
        for (int i = 0; i < size; i++) {
            Entry<N, T> entry = now.get((first + i) % size);
            if (entry.tables.contains(table)
                    && entry.stands(nowNanos)
                    && random.getAsDouble() < entry.fraction
                    && serves.test(entry.node)) {
                return entry.node;
            }
        }
        return null;
    }

    private static final class Entry<N, T> {
        final N node;
        final double fraction;
        final Set<T> tables;
        final long endNanos;

        Entry(N node, double fraction, Set<T> tables, long endNanos) {
            this.node = node;
            this.fraction = fraction;
            this.tables = tables;
            this.endNanos = endNanos;
        }

        boolean stands(long nowNanos) {
            return nowNanos - endNanos < 0;
        }
    }
}
