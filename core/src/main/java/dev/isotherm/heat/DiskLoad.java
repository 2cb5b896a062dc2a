// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

/** What the disks of a group's replicas have to bear, and how much of it a disk serves at a time. */
public interface DiskLoad {
    /** The requests that all replicas together coordinate, of all tables; 0 where that is not known. */
    double requestsPerSecond();

    /** How many reads a disk serves side by side, 1 or above; 1 where that is not known. */
    default int servedAtOnce() {
        return 1;
    }

    /** This load, of disks that serve so many reads side by side. */
    default DiskLoad servedAtOnce(int reads) {
        DiskLoad load = this;
        return new DiskLoad() {
            @Override
            public double requestsPerSecond() {
                return load.requestsPerSecond();
            }

            @Override
            public int servedAtOnce() {
                return reads;
            }
        };
    }
}
