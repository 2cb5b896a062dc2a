// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.Map;

/** The median of one figure of all nodes but any one; of an even number of nodes the lower of two. For one thread. */
final class TypicalOfOthers {
    private final Map<ReadWatch, Long> figures = new IdentityHashMap<>();
    /** Those that are known, in order; null where they are to be sorted anew. */
    private long[] sorted;

    void clear() {
        figures.clear();
        sorted = null;
    }

    /** @param figure the node's, 0 or above; -1 if it is not known */
    void add(ReadWatch node, long figure) {
        figures.put(node, figure);
        sorted = null;
    }

    /** The median of the others than this node; -1 if no other's is known, or this node was not added. */
    long without(ReadWatch node) {
        Long own = figures.get(node);
        if (own == null) {
            return -1;
        }
        if (sorted == null) {
            sorted = figures.values().stream()
                    .mapToLong(Long::longValue)
                    .filter(figure -> figure >= 0)
                    .sorted()
                    .toArray();
        }
        int others = sorted.length - (own < 0 ? 0 : 1);
        if (others == 0) {
            return -1;
        }
        int middle = (others - 1) / 2;
        boolean ownIsBefore = own >= 0 && Arrays.binarySearch(sorted, own) <= middle;
        return sorted[ownIsBefore ? middle + 1 : middle];
    }
}
