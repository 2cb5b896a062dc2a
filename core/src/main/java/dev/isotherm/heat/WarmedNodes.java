// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The nodes that are warmed by copies of a coordinator's reads, and of which tables, each until an instant. Questions
 * take no lock; changes are made under the board's.
 */
final class WarmedNodes<T, N> {
    private final Map<N, Entry<T>> entries = new ConcurrentHashMap<>();

    /**
     * Notes of which tables the node is warmed, in place of what was noted before.
     *
     * @param tables not to be changed afterwards; empty for none
     * @return the tables for which it is new, or no longer so
     */
    Set<T> note(N node, Set<T> tables, long untilNanos) {
        Entry<T> before = tables.isEmpty() ? entries.remove(node) : entries.put(node, new Entry<>(tables, untilNanos));
        Set<T> changed = new HashSet<>(tables);
        if (before != null) {
            for (T table : before.tables) {
                if (!changed.remove(table)) {
                    changed.add(table);
                }
            }
        }
        return changed;
    }

    /** Forgets what has ended, and returns the tables of which it was. */
    Set<T> end(long nowNanos) {
        if (entries.isEmpty()) {
            return Set.of();
        }
        Set<T> changed = new HashSet<>();
        for (Iterator<Entry<T>> all = entries.values().iterator(); all.hasNext(); ) {
            Entry<T> entry = all.next();
            if (nowNanos - entry.untilNanos >= 0) {
                changed.addAll(entry.tables);
                all.remove();
            }
        }
        return changed;
    }

    void forget(N node) {
        entries.remove(node);
    }

    boolean has(T table, N node) {
        Entry<T> entry = entries.get(node);
        return entry != null && entry.tables.contains(table);
    }

    private static final class Entry<T> {
        final Set<T> tables;
        final long untilNanos;

        Entry(Set<T> tables, long untilNanos) {
            this.tables = tables;
            this.untilNanos = untilNanos;
        }
    }
}
