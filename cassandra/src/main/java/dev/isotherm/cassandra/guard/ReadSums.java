// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.guard;

import dev.isotherm.cassandra.runtime.CutReads;
import java.util.ConcurrentModificationException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.cassandra.metrics.LatencyMetrics;
import org.apache.cassandra.metrics.TableMetrics;

/** What this node's read threads have served since it started, as Cassandra counts it. Used by one thread. */
final class ReadSums {
    private final Supplier<CutReads> cut;
    private long reads;
    private long readNanos;
    private long otherNanos;

    /** @param cut tells the reads that are left out */
    ReadSums(Supplier<CutReads> cut) {
        this.cut = cut;
    }

    /** Takes the sums; false if that was not possible: the former ones stay. */
    boolean take() {
        try {
            CutReads leftOut = cut.get();
            // Cassandra counts a read before it ends here.
            long cutEnded = leftOut.ended();
            long cutNanos = leftOut.nanos();
            reads = TableMetrics.GLOBAL_READ_LATENCY.latency.getCount() - cutEnded;
            readNanos = nanos(TableMetrics.GLOBAL_READ_LATENCY) - cutNanos;
            // They tell no mean; that they have held threads explains that these were busy.
            otherNanos = nanos(TableMetrics.GLOBAL_RANGE_LATENCY) + cutNanos;
            return true;
        } catch (ConcurrentModificationException | NullPointerException tableAdded) {
            // Cassandra sums over the tables without a lock, and one is being added.
            return false;
        }
    }

    private static long nanos(LatencyMetrics latency) {
        return TimeUnit.MICROSECONDS.toNanos(latency.totalLatency.getCount());
    }

    /** Reads of one partition, without those that are left out. */
    long reads() {
        return reads;
    }

    /** The time that these took, without the wait for a thread, in nanoseconds. */
    long readNanos() {
        return readNanos;
    }

    /** The time that range reads and the reads that are left out took. */
    long otherNanos() {
        return otherNanos;
    }
}
