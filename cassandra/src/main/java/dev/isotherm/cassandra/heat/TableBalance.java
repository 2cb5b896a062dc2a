// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import dev.isotherm.heat.BalanceSettings;

/** The settings by which the reads of one table are balanced now. Reads ask without a look-up of the table. */
final class TableBalance {
    private volatile BalanceSettings settings;
    private volatile long sinceMillis;

    TableBalance(BalanceSettings settings, long nowMillis) {
        this.settings = settings;
        this.sinceMillis = nowMillis;
    }

    /** There is one object for each placement: equal settings are the same. */
    BalanceSettings settings() {
        return settings;
    }

    /** The time at which the placement was chosen, or the table first seen; milliseconds since 1970. */
    long sinceMillis() {
        return sinceMillis;
    }

    /** One change at a time. */
    void set(BalanceSettings newSettings, long nowMillis) {
        if (newSettings.placement() != settings.placement()) {
            sinceMillis = nowMillis;
        }
        settings = newSettings;
    }
}
