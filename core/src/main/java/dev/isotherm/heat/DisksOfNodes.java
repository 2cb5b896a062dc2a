// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** How many reads the disks of nodes serve side by side, as these tell of them. Thread safe. */
public final class DisksOfNodes<N> {
    private final Map<N, Integer> told = new ConcurrentHashMap<>();

    /**
     * Takes what a node tells of its disk. While it knows nothing, as after its start, what it told before stands: it
     * has the same disk.
     *
     * @param servedAtOnce {@link DiskPlaces#servedAtOnce}; {@link DiskPlaces#NOT_KNOWN} changes nothing
     */
    public void told(N node, int servedAtOnce) {
        if (servedAtOnce != DiskPlaces.NOT_KNOWN) {
            told.put(node, servedAtOnce);
        }
    }

    /** The node has left. */
    public void forget(N node) {
        told.remove(node);
    }

    /** The least number that one of these nodes has told of; 1 where none has. */
    public int leastOf(N[] nodes) {
        int least = Integer.MAX_VALUE;
        for (N node : nodes) {
            least = Math.min(least, told.getOrDefault(node, Integer.MAX_VALUE));
        }
        return least == Integer.MAX_VALUE ? 1 : least;
    }
}
