// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

/** What a {@link HeatReport} tells of the node's disk: how many reads it serves side by side. */
final class ReportedDisk {
    /*
     * An entry has the form of a table's, as those of votes: nodes whose plugin does not know it drop it as that of a
     * table that they do not have. The second half of the id holds the number.
     */
    static final long ID = 0x69736F746865F100L;

    private ReportedDisk() {}

    static boolean isId(long msb) {
        return msb == ID;
    }

    /** More than {@link DiskPlaces} tells apart is no nonsense: another version may. */
    static boolean isNumber(long servedAtOnce) {
        return servedAtOnce >= 1;
    }

    /** The number as this version knows it. */
    static int known(long servedAtOnce) {
        return (int) Math.min(DiskPlaces.MOST, servedAtOnce);
    }
}
