// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import dev.isotherm.heat.Heat;
import dev.isotherm.heat.Placement;
import dev.isotherm.heat.RequestRate;

/**
 * What this node tells the others of one table: its heat, the rate at which it coordinates reads, and its vote; and the
 * rate of the local reads, by which tables are told first. Immutable.
 */
final class TableHeat {
    final Heat heat;
    /** Null while it is not known. */
    final RequestRate rate;

    /** Null while it is not known. */
    final RequestRate localReads;

    /** What the node votes for; null for no vote. */
    final Placement vote;

    TableHeat(Heat heat, RequestRate rate, RequestRate localReads, Placement vote) {
        this.heat = heat;
        this.rate = rate;
        this.localReads = localReads;
        this.vote = vote;
    }
}
