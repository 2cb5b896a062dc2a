// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import dev.isotherm.heat.Heat;
import dev.isotherm.heat.RequestRate;

/** What this node tells the others of one table: its heat, and the rate at which it coordinates reads. Immutable. */
final class TableHeat {
    final Heat heat;
    /** Null while it is not known. */
    final RequestRate rate;

    TableHeat(Heat heat, RequestRate rate) {
        this.heat = heat;
        this.rate = rate;
    }
}
