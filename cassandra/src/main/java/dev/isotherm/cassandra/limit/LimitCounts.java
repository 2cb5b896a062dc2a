// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import dev.isotherm.limit.Operation;
import java.util.concurrent.atomic.LongAdder;

/** This node's decisions for one table since the table got a limit, counted in operations on one partition each. */
final class LimitCounts {
    final LongAdder admittedReads = new LongAdder();
    final LongAdder admittedWrites = new LongAdder();
    final LongAdder rejectedReads = new LongAdder();
    final LongAdder rejectedWrites = new LongAdder();
    /** Reads that were admitted over the limit because of {@code dry_run}. */
    final LongAdder wouldRejectReads = new LongAdder();
    /** Writes that were admitted over the limit because of {@code dry_run}. */
    final LongAdder wouldRejectWrites = new LongAdder();
    /** Writes that one replica rejected and another applied. */
    final LongAdder partlyApplied = new LongAdder();

    /** Counts an operation that was admitted within the limit. */
    void admitted(Operation operation) {
        (operation == Operation.READ ? admittedReads : admittedWrites).increment();
    }

    /** Counts an operation that was rejected. */
    void rejected(Operation operation) {
        (operation == Operation.READ ? rejectedReads : rejectedWrites).increment();
    }

    /** Counts an operation that was admitted over the limit because of {@code dry_run}. */
    void wouldReject(Operation operation) {
        (operation == Operation.READ ? wouldRejectReads : wouldRejectWrites).increment();
    }
}
