// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.warming;

import dev.isotherm.common.Allowed;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.DoubleSupplier;

/**
 * The cold nodes that have asked a coordinator for copies of its reads. Thread safe; choosing takes no lock, allocates
 * nothing, and looks at the replicas of the read alone, however many nodes have asked.
 *
 * @param <N> the nodes
 * @param <T> the tables, which compare by value
 */
public final class Invitations<N, T> {
    /** The replicas of one read, to which it may be copied. */
    public interface Replicas<N> {
        int count();

        /** @param place 0 to {@link #count()} - 1; each place has another node */
        N at(int place);

        /** Whether the replica can serve the read and does not already; asked of those alone that are drawn. */
        boolean serves(int place);
    }

    private final long lifeNanos;
    private final Map<N, Entry<T>> entries = new ConcurrentHashMap<>();
    /** All that is asked for, and for up to the next {@link #expire} what was. Replaced as a whole, never modified. */
    private volatile Set<T> wanted = Set.of();

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
        if (tables.isEmpty()) {
            entries.remove(node);
        } else {
            entries.put(node, new Entry<>(fraction, tables, nowNanos + lifeNanos));
        }
        if (entries.isEmpty()) {
            wanted = Set.of();
        } else if (!wanted.containsAll(tables)) {
            Set<T> more = new HashSet<>(wanted);
            more.addAll(tables);
            wanted = more;
        }
    }

    /**
     * Forgets the invitations that have ended. To be called about once a second: without any a read costs nothing.
     *
     * @return whose have
     */
    public synchronized Set<N> expire(long nowNanos) {
        if (entries.isEmpty()) {
            return Set.of();
        }
        Set<N> ended = new HashSet<>();
        entries.forEach((node, entry) -> {
            if (!entry.stands(nowNanos)) {
                ended.add(node);
            }
        });
        entries.keySet().removeAll(ended);
        Set<T> left = new HashSet<>();
        entries.values().forEach(entry -> left.addAll(entry.tables));
        wanted = left;
        return ended;
    }

    /** Whether no node has asked for copies of any table: nothing else needs to be looked at. */
    public boolean isEmpty() {
        return entries.isEmpty();
    }

    /** Whether a node may have asked for copies of the table: else the replicas of its reads need not be known. */
    public boolean mayWant(T table) {
        return wanted.contains(table);
    }

    /**
     * Chooses a node to copy one read to. Of several replicas that are drawn and serve it each has the same chance.
     *
     * @param random numbers in [0, 1)
     * @return the node, or null if the read is not copied
     */
    public N choose(T table, DoubleSupplier random, long nowNanos, Replicas<N> replicas) {
        N chosen = null;
        int found = 0;
        for (int place = 0; place < replicas.count(); place++) {
            N node = replicas.at(place);
            Entry<T> entry = entries.get(node);
            if (entry != null
                    && entry.tables.contains(table)
                    && entry.stands(nowNanos)
                    && random.getAsDouble() < entry.fraction
                    && replicas.serves(place)) {
                found++;
                // The n-th takes the place of those before it once in n times.
                if (found == 1 || random.getAsDouble() * found < 1) {
                    chosen = node;
                }
            }
        }
        return chosen;
    }

    private static final class Entry<T> {
        final double fraction;
        final Set<T> tables;
        final long endNanos;

        Entry(double fraction, Set<T> tables, long endNanos) {
            this.fraction = fraction;
            this.tables = tables;
            this.endNanos = endNanos;
        }

        boolean stands(long nowNanos) {
            return nowNanos - endNanos < 0;
        }
    }
}
