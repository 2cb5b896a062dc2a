// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import dev.isotherm.cassandra.runtime.CutReads;
import dev.isotherm.cassandra.runtime.StatementScope;
import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.apache.cassandra.net.Message;

/** The reads about which fair shares decide, as seen from outside of the feature. */
final class ReadsOfCutPartitions implements CutReads {
    private final FairPool reads;
    private final StatementScope.Slot<ShareDecision> slot;
    private final ReadTimes times;

    ReadsOfCutPartitions(FairPool reads, StatementScope.Slot<ShareDecision> slot, ReadTimes times) {
        this.reads = reads;
        this.slot = slot;
        this.times = times;
    }

    @Override
    public boolean has(Message<?> read) {
        if (!reads.isOn() || !(read.payload instanceof SinglePartitionReadCommand)) {
            return false;
        }
        ShareDecision decided = StatementScope.current().part(slot);
        return decided.cuts(
                ((SinglePartitionReadCommand) read.payload).partitionKey().getToken());
    }

    @Override
    public int underWay() {
        return times.cutUnderWay();
    }

    @Override
    public long ended() {
        return times.cutEnded();
    }

    @Override
    public long nanos() {
        return times.cutNanos();
    }
}
