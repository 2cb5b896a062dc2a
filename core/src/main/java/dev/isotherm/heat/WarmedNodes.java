// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The nodes that are warmed by copies of a coordinator's reads, and of which tables. Questions take no lock; changes
 * are made under the board's.
 */
final class WarmedNodes<T, N> {
    private final Map<N, Set<T>> tablesOf = new ConcurrentHashMap<>();

    /**
     * Notes of which tables the node is warmed, in place of what was noted before.
     *
     * @param tables not to be changed afterwards; empty for none
     * @return the tables for which it is new, or no longer so
     */
    Set<T> note(N node, Set<T> tables) {
        Set<T> before = tables.isEmpty() ? tablesOf.remove(node) : tablesOf.put(node, tables);
        Set<T> changed = new HashSet<>(tables);
        if (before != null) {
            for (T table : before) {
                if (!changed.remove(table)) {
                    changed.add(table);
                }
            }
        }
        return changed;
    }

    boolean has(T table, N node) {
        Set<T> tables = tablesOf.get(node);
        return tables != null && tables.contains(table);
    }
}
