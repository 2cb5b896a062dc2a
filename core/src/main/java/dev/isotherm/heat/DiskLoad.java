// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

/** What the disks of a group's replicas have to bear, and how much of it each serves at a time. */
public interface DiskLoad {
    /** The requests that all replicas together coordinate, of all tables; 0 where that is not known. */
    double requestsPerSecond();

    /**
     * How many reads a replica's disk serves side by side, 1 or above; 1 where that is not known.
     *
     * @param replica its index in the group
     */
    default int servedAtOnce(int replica) {
        return 1;
    }
}
