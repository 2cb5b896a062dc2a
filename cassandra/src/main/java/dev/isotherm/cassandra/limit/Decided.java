// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import dev.isotherm.limit.Decision;
import java.util.List;

/**
 * What this node has decided about partitions of a request: all are accounted, or one is refused and none is. The other
 * replicas are told once the whole request is admitted; where another partition is refused elsewhere, it is taken back.
 */
final class Decided {
    static final Decided NOTHING = new Decided(List.of(), new Decision[0], 1, null);

    final List<TouchedPartition> partitions;
    final Decision[] decisions;
    /** The fraction of an operation that each counts as. */
    final double operations;
    /** The first that is over its limit; null if all are admitted. */
    final TouchedPartition refused;

    Decided(List<TouchedPartition> partitions, Decision[] decisions, double operations, TouchedPartition refused) {
        this.partitions = partitions;
        this.decisions = decisions;
        this.operations = operations;
        this.refused = refused;
    }
}
