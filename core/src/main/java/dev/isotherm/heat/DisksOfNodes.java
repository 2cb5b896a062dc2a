// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** How many reads the disks of nodes serve side by side, as these tell of them. Thread safe. */
public final class DisksOfNodes<N> {
    private final Map<N, Integer> told = new ConcurrentHashMap<>();

    /**
     * Takes what a node tells of its disk. What it told before does not stand while it knows nothing: all coordinators
     * go by the same, also one that has just started, and a disk may be another one since.
     *
     * @param servedAtOnce {@link DiskPlaces#servedAtOnce}
     */
    public void told(N node, int servedAtOnce) {
        if (servedAtOnce == DiskPlaces.NOT_KNOWN) {
            told.remove(node);
        } else {
            told.put(node, servedAtOnce);
        }
    }

    /** The node has left. */
    public void forget(N node) {
        told.remove(node);
    }

    /** The number that the node has told of last; 1 where it knows nothing, or has not told. */
    public int of(N node) {
        return told.getOrDefault(node, 1);
    }
}
