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
 * One line in the log when a partition's operations of a kind begin to be cut, one when all are admitted again; in a
 * dry run, when they would be. The first operation since brings the name, whether it is refused or not: other nodes may
 * refuse for this one. The lines name the token: the key may be a name or an address.
 */
final class FairShareLog implements FairShare.Listener {
    private final String operations;
    private final RationedLog begins = new RationedLog(System::nanoTime);
    private final RationedLog ends = new RationedLog(System::nanoTime);
    private final LongAdder cuts = new LongAdder();
    /** The partitions that are being cut and of which nothing has come yet; at most those that are watched. */
    private final Map<Long, WatchedPartition> begun = new ConcurrentHashMap<>();
    /** The partitions of which a line told. */
    private final Map<Long, Told> told = new ConcurrentHashMap<>();
    /** Whether what is refused is not served. */
    private volatile boolean isEnforced = true;

    private static final class Told {
        final WatchedPartition partition;
        final String name;

        Told(WatchedPartition partition, String name) {
            this.partition = partition;
            this.name = name;
        }
    }

    /** @param operations what is refused, in the plural, as within a sentence */
    FairShareLog(String operations) {
        this.operations = operations;
    }

    @Override
    public void began(WatchedPartition partition) {
        cuts.increment();
        begun.put(partition.partition(), partition);
    }

    /** Whether the partition is being cut, and no line tells so yet. */
    boolean isUntold(long partition) {
        // For nearly each operation this is all, without a lock.
        return !begun.isEmpty() && begun.containsKey(partition);
    }

    /** An operation on a partition that was {@linkplain #isUntold untold} has come, which may be refused. */
    void came(WatchedPartition partition, TableMetadata table, Token token) {
        tellBegin(partition, table + ", token " + token);
    }

    private synchronized void tellBegin(WatchedPartition partition, String name) {
        if (begun.remove(partition.partition()) == null) {
            return;
        }
        told.put(partition.partition(), new Told(partition, name));
        begins.info(
                isEnforced
                        ? "The partition of {} held {} of the time of the threads for which {} wait, and may hold {}"
                        : "The partition of {} held {} of the time of the threads for which {} wait, and might hold {}:"
                                + " in a dry run all are served",
                name,
                FairShareRejection.percent(partition.held()),
                operations,
                FairShareRejection.percent(partition.mayHold()));
    }

    /** Sets whether what is refused is not served, from now on; then other lines tell of the same cuts. */
    void enforce(boolean enforces) {
        if (isEnforced != enforces) {
            change(enforces);
        }
    }

    private synchronized void change(boolean enforces) {
        for (Told cut : told.values()) {
            if (isEnforced) {
                tellEnd(cut);
            }
            if (cut.partition.isCut()) {
                begun.put(cut.partition.partition(), cut.partition);
            }
        }
        told.clear();
        isEnforced = enforces;
    }

    @Override
    public synchronized void ended(WatchedPartition partition) {
        begun.remove(partition.partition());
        Told cut = told.remove(partition.partition());
        if (cut != null) {
            tellEnd(cut);
        }
    }

    /** Ends all cuts: nothing is refused any more. */
    synchronized void endAll() {
        begun.clear();
        told.values().forEach(this::tellEnd);
        told.clear();
    }

    private void tellEnd(Told cut) {
        ends.info(
                isEnforced
                        ? "All {} of the partition of {} are admitted again"
                        : "All {} of the partition of {} would be admitted again",
                operations,
                cut.name);
    }

    /** How often a partition began to be cut since the node started. */
    long cuts() {
        return cuts.sum();
    }
}
