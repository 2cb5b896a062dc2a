// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.lab;

import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.apache.cassandra.db.commitlog.CommitLogPosition;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.db.memtable.SkipListMemtable;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.index.transactions.UpdateTransaction;
import org.apache.cassandra.schema.TableMetadataRef;
import org.apache.cassandra.utils.concurrent.OpOrder;

/**
 * A memtable whose writes hold their thread for a while, so that a few writes keep all threads of a node busy and its
 * processors idle. Tables have it that are created with the memtable configuration of this class.
 */
public final class SlowWrites extends SkipListMemtable {
    public static final Memtable.Factory FACTORY = SlowWrites::new;

    private static volatile long nanos;

    private SlowWrites(AtomicReference<CommitLogPosition> lowerBound, TableMetadataRef table, Owner owner) {
        super(lowerBound, table, owner);
    }

    /** From now on each write takes so much longer; 0: as long as without this class. */
    static void setNanos(long nanos) {
        SlowWrites.nanos = nanos;
    }

    @Override
    public long put(PartitionUpdate update, UpdateTransaction indexer, OpOrder.Group order) {
        long takes = nanos;
        long until = System.nanoTime() + takes;
        for (long left = takes; left > 0; left = until - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
        return super.put(update, indexer, order);
    }
}
