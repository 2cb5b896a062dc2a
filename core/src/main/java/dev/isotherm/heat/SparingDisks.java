// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

/** The disks of the replicas that are to go on without one that is spared. */
final class SparingDisks {
    private static final int FIELD_BYTES = HeapBytes.REFERENCE + Integer.BYTES;

    /** Whether the replica is one of them. */
    private final boolean[] bears;

    private final int servedAtOnce;

    /** @param standings one per replica; those that are warmed are spared */
    SparingDisks(Standing[] standings, DiskLoad load) {
        bears = new boolean[standings.length];
        for (int i = 0; i < bears.length; i++) {
            bears[i] = standings[i] != Standing.WARMED;
        }
        servedAtOnce = leastOf(load);
    }

    private int leastOf(DiskLoad load) {
        int least = Integer.MAX_VALUE;
        for (int i = 0; i < bears.length; i++) {
            least = bears[i] ? Math.min(least, load.servedAtOnce(i)) : least;
        }
        return least == Integer.MAX_VALUE ? 1 : least;
    }

    /** How many reads each of them serves side by side, the least. */
    int servedAtOnce() {
        return servedAtOnce;
    }

    /** Whether these disks serve as many by that load. */
    boolean areAsIn(DiskLoad load) {
        return leastOf(load) == servedAtOnce;
    }

    long bytes() {
        return HeapBytes.object(FIELD_BYTES) + HeapBytes.array(bears.length, 1);
    }
}
