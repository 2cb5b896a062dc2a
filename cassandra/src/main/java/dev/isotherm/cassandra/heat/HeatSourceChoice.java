// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import java.util.Locale;

/** The source of a table's heat. */
enum HeatSourceChoice {
    /**
     * The disk, for every table; where the kernel has no accounting, the row cache's hits and misses for tables that
     * use it, and the read time for all others.
     */
    AUTO,
    /** The row cache's hits and misses for tables that use it, the disk or the read time for all others. */
    CACHE,
    /** The mean local read time, for every table. */
    READ_TIME,
    /** What goes to the disk by the kernel's accounting, for every table; the read time where the kernel has none. */
    DISK;

    boolean mayUseDisk() {
        return this != READ_TIME;
    }

    /**
     * What one table's heat is measured by: never AUTO.
     *
     * @param isRowCached whether the table uses the row cache
     * @param isDiskTold whether the kernel tells which reads go to the disk
     */
    HeatSourceChoice of(boolean isRowCached, boolean isDiskTold) {
        // A row that the row cache has lost is most often in the page cache, beneath it: what its miss costs only the
        // disk can say.
        boolean byRowCache = isRowCached && (this == CACHE || this == AUTO && !isDiskTold);
        if (byRowCache) {
            return CACHE;
        }
        return isDiskTold && mayUseDisk() ? DISK : READ_TIME;
    }

    static HeatSourceChoice parse(String text) {
        try {
            return valueOf(text.trim().toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("'" + text + "' is not one of auto, cache, read_time, disk");
        }
    }
}
