// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import dev.isotherm.cassandra.runtime.RuntimeSetting;
import dev.isotherm.cassandra.runtime.RuntimeSwitch;
import dev.isotherm.share.FairShare;
import dev.isotherm.share.NamedPartitions;
import dev.isotherm.share.WatchedPartition;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.LongAdder;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.schema.TableMetadata;

/**
 * The fair shares of the threads that serve this node's reads, and the mode in which they are kept.
 *
 * <p>Requests read one volatile field, which is null while the mode is off.
 */
final class FairReads {
    private static final int SLOTS = 1024;

    private final RuntimeSwitch enabled;
    private final LimitsInForce limits;
    private final long hashSeed;
    private final FairShareLog log = new FairShareLog();
    private final LongAdder refused = new LongAdder();
    private final LongAdder wouldRefuse = new LongAdder();
    private final NamedPartitions<NamedPartition> named = new NamedPartitions<>();
    private volatile FairShareMode mode;
    private volatile FairShare shares;

    // For the thread that looks.
    private ReadQueue queue;
    private long lastLookNanos;
    private long lastTickNanos = System.nanoTime();

    /** @param enabled the switch of all limits: while it is off, nothing is refused */
    FairReads(FairShareMode mode, RuntimeSwitch enabled, LimitsInForce limits, long hashSeed) {
        this.mode = mode;
        this.enabled = enabled;
        this.limits = limits;
        this.hashSeed = hashSeed;
    }

    /** Whether the time of reads is to be counted. */
    boolean isOn() {
        return shares != null;
    }

    /** The partition if decisions about its reads count; null otherwise. */
    WatchedPartition watched(long partition) {
        FairShare present = shares;
        return present == null ? null : present.watched(partition);
    }

    /**
     * Decides about a read of a partition of which this node is a replica.
     *
     * @param partition the id of the partition's reads
     * @param weight for how many reads this one stands
     * @return what refuses the read; null if it is admitted
     */
    WatchedPartition refusing(TableMetadata table, Token token, long partition, int random, int weight) {
        FairShare present = shares;
        LimitedTable limited = limits.get(table);
        if (present == null || limited != null && !limited.limits.isFairShare()) {
            return null;
        }
        double mostShare = limited == null ? 1 : limited.limits.maxShare();
        WatchedPartition watched = present.refusing(partition, mostShare, random, weight);
        if (watched == null) {
            return null;
        }
        if (!isEnforced()) {
            wouldRefuse.increment();
            return null;
        }
        refused.increment();
        named.refused(partition);
        log.refused(watched, table, token);
        return watched;
    }

    /** Whether what is refused is not served. */
    boolean isEnforced() {
        return mode == FairShareMode.ON;
    }

    /** A thread has served a read of the partition. */
    void served(TableMetadata table, long partition, long nanos) {
        FairShare present = shares;
        if (present == null) {
            return;
        }
        LimitedTable limited = limits.get(table);
        if (limited != null && !limited.limits.isFairShare()) {
            present.servedOther(nanos);
        } else {
            present.served(partition, nanos);
        }
    }

    /**
     * A read of the partition is about to be served: its name is kept if it holds much of the time.
     *
     * @param random any 32 bits: one read in eight is looked at
     */
    void saw(TableMetadata table, long partition, ByteBuffer key, int random) {
        FairShare present = shares;
        if (present == null || !NamedPartitions.looks(random)) {
            return;
        }
        double part = present.partOfServed(partition);
        if (part >= NamedPartitions.LEAST_PART) {
            named.saw(partition, part, () -> new NamedPartition(table, key));
        }
    }

    /** Averages the refusals, and forgets the names of partitions that hold little; call it each second. */
    void tick() {
        FairShare present = shares;
        long now = System.nanoTime();
        double seconds = (now - lastTickNanos) * 1e-9;
        lastTickNanos = now;
        if (present == null) {
            named.clear();
        } else if (seconds > 0) {
            named.tick(seconds, present::partOfServed);
        }
    }

    /** Passes on the partitions that hold most of the time, the largest first; none while nothing is measured. */
    void forEachNamed(NamedPartitions.Entry<NamedPartition> to) {
        FairShare present = shares;
        if (present != null) {
            long now = System.nanoTime();
            named.forEach(partition -> present.shareOf(partition, now), to);
        }
    }

    /** Whether reads wait for a thread; null while nothing is measured. */
    Boolean isSaturated() {
        FairShare present = shares;
        return present == null ? null : present.isSaturated();
    }

    /** The time that the partition is known to hold, in nanoseconds; 0 while nothing is measured. */
    long nanosOf(long partition) {
        FairShare present = shares;
        return present == null ? 0 : present.nanosOf(partition);
    }

    /** Measures the queue and, at each interval, sets the shares; call it each ten milliseconds. */
    void look(long nowNanos) {
        if (mode == FairShareMode.OFF || !enabled.isOn()) {
            if (shares != null) {
                shares = null;
                log.endAll();
            }
            return;
        }
        FairShare present = shares;
        if (present == null) {
            queue = new ReadQueue();
            lastLookNanos = nowNanos;
            shares = new FairShare(SLOTS, hashSeed, log, nowNanos);
            return;
        }
        queue.measure(nowNanos);
        if (nowNanos - lastLookNanos >= FairShare.INTERVAL_NANOS) {
            lastLookNanos = nowNanos;
            present.enforce(isEnforced());
            present.look(queue.leastWait(nowNanos), queue.threads(), queue.busyThreads(), nowNanos);
        }
    }

    /** The mode, as a setting that can be changed while the node runs. */
    RuntimeSetting setting() {
        return new RuntimeSetting("limit.fair_share", () -> mode.text(), value -> mode = FairShareMode.parse(value))
                .keepable();
    }

    /** Reads refused since the node started. */
    long refused() {
        return refused.sum();
    }

    /** Reads that a dry run has served although they were over their partition's share. */
    long wouldRefuse() {
        return wouldRefuse.sum();
    }

    /** How often a partition began to be cut. */
    long cuts() {
        return log.cuts();
    }
}
