// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import dev.isotherm.heat.Heat;
import dev.isotherm.heat.RequestRate;

/**
 * What this node tells the others of one table: its heat, and the rate at which it coordinates reads; and the rate of
 * the local reads, by which tables are told first. Immutable.
 */
final class TableHeat {
    final Heat heat;
    /** Null while it is not known. */
    final RequestRate rate;

    /** Null while it is not known. */
    final RequestRate localReads;

    TableHeat(Heat heat, RequestRate rate, RequestRate localReads) {
        this.heat = heat;
        this.rate = rate;
        this.localReads = localReads;
    }
}
