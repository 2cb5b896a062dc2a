// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import dev.isotherm.cassandra.runtime.RationedLog;
import dev.isotherm.share.FairShare;
import dev.isotherm.share.WatchedPartition;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.schema.TableMetadata;

/**
 * One line in the log when a partition's first read is refused, one when its reads are admitted whole again. The lines
 * name the token: the key may be a name or an address.
 */
final class FairShareLog implements FairShare.Listener {
    private static final String ADMITTED = "All reads of the partition of {} are admitted again";

    private final RationedLog begins = new RationedLog(System::nanoTime);
    private final RationedLog ends = new RationedLog(System::nanoTime);
    private final LongAdder cuts = new LongAdder();
    /** The partitions that are being cut and were not refused anything yet; at most those that are watched. */
    private final Map<Long, WatchedPartition> begun = new ConcurrentHashMap<>();
    /** The partitions of which a line told. */
    private final Map<Long, String> told = new ConcurrentHashMap<>();

    @Override
    public void began(WatchedPartition partition) {
        cuts.increment();
        begun.put(partition.partition(), partition);
    }

    /** A read of the partition was refused. */
    void refused(WatchedPartition partition, TableMetadata table, Token token) {
        if (begun.isEmpty() || begun.remove(partition.partition()) == null) {
            return;
        }
        String name = table + ", token " + token;
        told.put(partition.partition(), name);
        begins.info(
                "Reads wait for a thread: the partition of {} held {} of the threads' time and may hold {}",
                name,
                FairShareRejection.percent(partition.held()),
                FairShareRejection.percent(partition.mayHold()));
    }

    @Override
    public void ended(WatchedPartition partition) {
        begun.remove(partition.partition());
        String name = told.remove(partition.partition());
        if (name != null) {
            ends.info(ADMITTED, name);
        }
    }

    /** Nothing is refused any more. */
    void endAll() {
        begun.clear();
        for (String name : told.values()) {
            ends.info(ADMITTED, name);
        }
        told.clear();
    }

    /** How often a partition began to be cut since the node started. */
    long cuts() {
        return cuts.sum();
    }
}
