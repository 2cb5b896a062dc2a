// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import dev.isotherm.limit.Operation;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;

/**
 * This node's decisions for one table since it, or a partition of it, got a limit, counted in operations on one
 * partition each.
 */
final class LimitCounts {
    private static final List<Function<LimitCounts, LongAdder>> ALL = List.of(
            c -> c.admittedReads,
            c -> c.admittedWrites,
            c -> c.rejectedReads,
            c -> c.rejectedWrites,
            c -> c.wouldRejectReads,
            c -> c.wouldRejectWrites,
            c -> c.rejectedByKey,
            c -> c.partlyApplied);

    final LongAdder admittedReads = new LongAdder();
    final LongAdder admittedWrites = new LongAdder();
    final LongAdder rejectedReads = new LongAdder();
    final LongAdder rejectedWrites = new LongAdder();
    /** Reads that were admitted over the limit because of {@code dry_run}. */
    final LongAdder wouldRejectReads = new LongAdder();
    /** Writes that were admitted over the limit because of {@code dry_run}. */
    final LongAdder wouldRejectWrites = new LongAdder();
    /** Those of the rejected operations that were over their partition's own limit and not over the table's. */
    final LongAdder rejectedByKey = new LongAdder();
    /** Writes that one replica rejected and another applied. */
    final LongAdder partlyApplied = new LongAdder();

    /** Counts an operation that was admitted: within the limit, or over it in a dry run. */
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

    /** Adds what was counted elsewhere. */
    void add(LimitCounts other) {
        for (Function<LimitCounts, LongAdder> count : ALL) {
            count.apply(this).add(count.apply(other).sum());
        }
    }
}
