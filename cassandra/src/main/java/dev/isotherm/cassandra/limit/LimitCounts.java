// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import dev.isotherm.limit.Operation;
import java.util.concurrent.atomic.LongAdder;

/** What this node has decided for one table, in operations on one partition each, since the table has been limited. */
public final class LimitCounts {
    public final LongAdder admittedReads = new LongAdder();
    public final LongAdder admittedWrites = new LongAdder();
    public final LongAdder rejectedReads = new LongAdder();
    public final LongAdder rejectedWrites = new LongAdder();
    /** Reads that were admitted over the limit because of {@code dry_run}. */
    public final LongAdder wouldRejectReads = new LongAdder();
    /** Writes that were admitted over the limit because of {@code dry_run}. */
    public final LongAdder wouldRejectWrites = new LongAdder();
    /** Writes that one replica rejected and another applied. */
    public final LongAdder partlyApplied = new LongAdder();

    /** Counts an operation that was let through within the limit. */
    public void admitted(Operation operation) {
        (operation == Operation.READ ? admittedReads : admittedWrites).increment();
    }

    /** Counts an operation that was refused. */
    public void rejected(Operation operation) {
        (operation == Operation.READ ? rejectedReads : rejectedWrites).increment();
    }

    /** Counts an operation that was let through over the limit because of {@code dry_run}. */
    public void wouldReject(Operation operation) {
        (operation == Operation.READ ? wouldRejectReads : wouldRejectWrites).increment();
    }
}
