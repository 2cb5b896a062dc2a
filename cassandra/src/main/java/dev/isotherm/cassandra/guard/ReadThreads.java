// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.guard;

import dev.isotherm.cassandra.runtime.CutReads;
import dev.isotherm.guard.ReadGuard;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.apache.cassandra.concurrent.ResizableThreadPool;
import org.apache.cassandra.concurrent.Stage;
import org.apache.cassandra.locator.InetAddressAndPort;

/** Reads the state of this node's read threads off Cassandra's own counts. Used by one thread. */
final class ReadThreads {
    /*
     * Cassandra sums its counts over all tables each time it is asked. Of many tables they are taken at some of the
     * observations only: the guard judges by ten of these, which then hold five times, or twice, as much at once. While
     * it avoids this node, each observation brings them: they decide about its trial.
     */
    private static final int MANY_TABLES = 500;
    private static final int VERY_MANY_TABLES = 1000;
    /** Tables are counted as seldom. */
    private static final int OBSERVATIONS_PER_COUNT = 200;

    private final ReadGuard<InetAddressAndPort> guard;
    private final InetAddressAndPort self;
    private final ResizableThreadPool stage = Stage.READ.executor();
    private final IntSupplier tables;
    private final Supplier<CutReads> cut;
    private final ReadSums sums;
    private final SumTurns turns = new SumTurns();
    private int untilCount;

    /**
     * @param tables how many tables there are
     * @param cut tells the reads that are left out
     */
    ReadThreads(
            ReadGuard<InetAddressAndPort> guard, InetAddressAndPort self, IntSupplier tables, Supplier<CutReads> cut) {
        this.guard = guard;
        this.self = self;
        this.tables = tables;
        this.cut = cut;
        this.sums = new ReadSums(cut);
    }

    void observe(long nowNanos) {
        if (untilCount-- <= 0) {
            turns.take(observationsPerSum(tables.getAsInt()));
            untilCount = OBSERVATIONS_PER_COUNT;
        }
        // A trial goes on with each observation in which a read has ended.
        if (turns.isDue(guard.avoided().isByGuard(self))) {
            if (!sums.take()) {
                // They are due at the next observation, which is soon.
                return;
            }
            turns.taken();
        }
        // The stage's counters are read one after the other, while other threads change them.
        int tasks = Math.max(0, stage.getActiveTaskCount()) + Math.max(0, stage.getPendingTaskCount());
        tasks = Math.max(0, tasks - cut.get().underWay());
        guard.observeLocal(tasks, sums.reads(), sums.readNanos(), sums.otherNanos(), nowNanos);
    }

    /** Divides the observations by which the guard judges. */
    static int observationsPerSum(int tables) {
        return tables < MANY_TABLES ? 1 : tables < VERY_MANY_TABLES ? 2 : 5;
    }
}
