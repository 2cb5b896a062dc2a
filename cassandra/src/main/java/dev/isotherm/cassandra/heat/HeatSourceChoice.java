// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import java.util.Locale;

/** The source of a table's heat. */
enum HeatSourceChoice {
    /** The row cache's hits and misses for tables that use it, the disk for all others. */
    AUTO,
    /** The row cache's hits and misses; tables without a row cache are not balanced. */
    CACHE,
    /** The mean local read time, for every table. */
    READ_TIME,
    /** What goes to the disk by the kernel's accounting, for every table; the read time where the kernel has none. */
    DISK;

    boolean mayUseDisk() {
        return this == AUTO || this == DISK;
    }

    static HeatSourceChoice parse(String text) {
        try {
            return valueOf(text.trim().toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("'" + text + "' is not one of auto, cache, read_time, disk");
        }
    }
}
