// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.warming;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.schema.TableId;

/** The tables of which the last read that was to be copied to a node could not be: copies do not warm it there. */
final class UncopiedReads {
    private final Map<InetAddressAndPort, Set<TableId>> byNode = new ConcurrentHashMap<>();

    void copied(InetAddressAndPort node, TableId table) {
        Set<TableId> uncopied = byNode.get(node);
        if (uncopied != null) {
            uncopied.remove(table);
        }
    }

    void notCopied(InetAddressAndPort node, TableId table) {
        byNode.computeIfAbsent(node, any -> ConcurrentHashMap.newKeySet()).add(table);
    }

    /** What the node asked for has ended. */
    void forget(InetAddressAndPort node) {
        byNode.remove(node);
    }

    /** Those tables that a node asks for of which reads are copied; what it does not ask for is forgotten. */
    Set<TableId> copiedOf(InetAddressAndPort node, Set<TableId> asked) {
        if (asked.isEmpty()) {
            forget(node);
        }
        Set<TableId> uncopied = byNode.get(node);
        if (uncopied == null || uncopied.isEmpty()) {
            return asked;
        }
        uncopied.retainAll(asked);
        Set<TableId> copied = new HashSet<>(asked);
        copied.removeAll(uncopied);
        return copied;
    }
}
