// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import java.util.Locale;

/** Whether partitions are cut to their fair shares while the node is saturated. */
enum FairShareMode {
    OFF,
    /** What would be refused is counted and served. */
    DRY_RUN,
    ON;

    static final String ALLOWED = "off, dry_run or on";

    /** @throws IllegalArgumentException when the text names none */
    static FairShareMode parse(Object value) {
        // YAML reads the words off and on as false and true.
        if (value instanceof Boolean) {
            return (Boolean) value ? ON : OFF;
        }
        for (FairShareMode mode : values()) {
            if (mode.text().equalsIgnoreCase(String.valueOf(value))) {
                return mode;
            }
        }
        throw new IllegalArgumentException(ALLOWED);
    }

    /** The mode as in {@code isotherm.yaml}. */
    String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
