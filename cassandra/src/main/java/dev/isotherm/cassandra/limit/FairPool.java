// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import dev.isotherm.common.RunningClock;
import dev.isotherm.share.FairShare;
import dev.isotherm.share.NamedPartitions;
import dev.isotherm.share.WatchedPartition;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;
import org.apache.cassandra.concurrent.Stage;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.schema.TableMetadata;

/**
 * The fair shares of the threads of one of this node's stages.
 *
 * <p>Requests take no lock, with two exceptions: one that finds a large partition without a name gives it one, under
 * the lock of {@link NamedPartitions}; and the first of a partition that has begun to be cut logs it.
 */
final class FairPool {
    private static final int SLOTS = 1024;

    private final Stage stage;
    private final FairShareSwitch mode;
    private final LimitsInForce limits;
    private final long hashSeed;
    private final RunningClock clock;
    private final FairShareLog log;
    private final LongAdder refused = new LongAdder();
    private final LongAdder wouldRefuse = new LongAdder();
    private final NamedPartitions<NamedPartition> named = new NamedPartitions<>();
    private LongConsumer tellOfThoseUnderWay = running -> {};
    private volatile FairShare shares;

    // For the thread that looks.
    private StageQueue queue;
    private long lastLookNanos;
    private long lastTickNanos = System.nanoTime();

    /**
     * @param operations what the stage serves, in the plural, for the log
     * @param clock by which operations hold time; is ticked with each {@link #look}
     */
    FairPool(
            Stage stage,
            String operations,
            FairShareSwitch mode,
            LimitsInForce limits,
            long hashSeed,
            RunningClock clock) {
        this.stage = stage;
        this.mode = mode;
        this.limits = limits;
        this.hashSeed = hashSeed;
        this.clock = clock;
        this.log = new FairShareLog(operations);
    }

    /** Whether the time of operations is to be counted. */
    boolean isOn() {
        return present() != null;
    }

    /** The shares; null from the instant at which they are switched off. */
    private FairShare present() {
        return mode.isOff() ? null : shares;
    }

    /** Is another object each time that operations begin to be timed anew; null while none are. */
    Object era() {
        return present();
    }

    /** The partition if decisions about its operations count; null otherwise. */
    WatchedPartition watched(long partition) {
        FairShare present = present();
        WatchedPartition watched = present == null ? null : present.watched(partition);
        // The thread that looks may be held up by another task: nothing is refused by what was true long ago.
        return watched == null || present.isOutdated(System.nanoTime()) ? null : watched;
    }

    /** The present, on the clock by which operations hold time: it stands still while this process does not run. */
    long running() {
        return running(System.nanoTime());
    }

    /** The same for a caller that has just read System.nanoTime(). */
    long running(long nowNanos) {
        return clock.running(nowNanos);
    }

    /**
     * Decides about an operation on a partition of which this node is a replica.
     *
     * @param partition the id of the partition's operations of this kind
     * @param weight for how many operations this one stands
     * @return what refuses the operation; null if it is admitted
     */
    WatchedPartition refusing(TableMetadata table, Token token, long partition, int random, int weight) {
        WatchedPartition watched = over(table, partition, random, weight);
        tellOfCut(table, token, partition);
        if (watched == null) {
            return null;
        }
        if (!isEnforced()) {
            wouldRefuse.increment();
            return null;
        }
        refused.increment();
        named.refused(partition);
        return watched;
    }

    /** This node has refused an operation whose replicas it has heard to refuse it. */
    void refusedAsTold() {
        refused.increment();
    }

    /** Another node has admitted an operation that this one does not refuse: it counts as asked for. */
    void admittedElsewhere(TableMetadata table, Token token, long partition, int weight) {
        over(table, partition, 0, weight);
        tellOfCut(table, token, partition);
    }

    /** Logs a cut that no line tells of: what coordinators refuse for it, as this node told them, they log nowhere. */
    private void tellOfCut(TableMetadata table, Token token, long partition) {
        WatchedPartition cut = log.isUntold(partition) && !isExempt(limits.get(table)) ? watched(partition) : null;
        if (cut != null) {
            log.came(cut, table, token);
        }
    }

    private WatchedPartition over(TableMetadata table, long partition, int random, int weight) {
        FairShare present = present();
        LimitedTable limited = limits.get(table);
        if (present == null || isExempt(limited)) {
            return null;
        }
        double mostShare = limited == null ? 1 : limited.limits.maxShare();
        return present.refusing(partition, mostShare, random, weight);
    }

    /** Whether operations on this partition may be refused at present, as it is large and the pool saturated. */
    boolean mayCut(TableMetadata table, long partition) {
        return refusable(table, partition) != null;
    }

    /** Whether some of the operations on this partition are refused at present. */
    boolean isCut(TableMetadata table, long partition) {
        WatchedPartition watched = refusable(table, partition);
        return watched != null && watched.isCut();
    }

    /** The partition if operations on it may be refused at present; null otherwise. */
    WatchedPartition refusable(TableMetadata table, long partition) {
        WatchedPartition watched = watched(partition);
        return watched != null && mayRefuse(table) ? watched : null;
    }

    /** Whether operations on the table's partitions may be refused at present. */
    boolean mayRefuse(TableMetadata table) {
        return isEnforced() && !isExempt(limits.get(table));
    }

    /** Whether the table's partitions are cut by no share; a table that is not limited has said nothing: null. */
    private static boolean isExempt(LimitedTable limited) {
        return limited != null && !limited.limits.isFairShare();
    }

    /** Whether what is refused is not served. */
    boolean isEnforced() {
        return mode.isEnforced();
    }

    /** A thread has served an operation on the partition. */
    void served(TableMetadata table, long partition, long nanos) {
        ended(table, partition, nanos, nanos);
    }

    /**
     * A thread has served an operation on the partition.
     *
     * @param nanos how long it has held the thread that {@link #holds} has not told of it
     * @param lasted how long it has held the thread
     */
    void ended(TableMetadata table, long partition, long nanos, long lasted) {
        FairShare counting = counting(table, nanos);
        if (counting != null) {
            counting.ended(partition, nanos, lasted);
        }
    }

    /** A thread serves an operation on the partition and goes on; as {@link #ended}. For the thread that looks. */
    void holds(TableMetadata table, long partition, long nanos, long lasted) {
        FairShare counting = counting(table, nanos);
        if (counting != null) {
            counting.holds(partition, nanos, lasted);
        }
    }

    /** The shares if the table's partitions have any; null otherwise, when its time counts as that of no partition. */
    private FairShare counting(TableMetadata table, long nanos) {
        FairShare present = present();
        if (present == null || !isExempt(limits.get(table))) {
            return present;
        }
        present.servedOther(nanos);
        return null;
    }

    /** Lets operations under way be told of before each look at the shares, at the instant of {@link #running}. */
    void tellOfThoseUnderWay(LongConsumer underWay) {
        tellOfThoseUnderWay = underWay;
    }

    /** A thread has served an operation that cannot be refused. */
    void servedOther(long nanos) {
        FairShare present = present();
        if (present != null) {
            present.servedOther(nanos);
        }
    }

    /**
     * An operation on the partition is about to be served: its name is kept if it holds much of the time.
     *
     * @param random any 32 bits: one operation in eight is looked at
     */
    void saw(TableMetadata table, long partition, ByteBuffer key, int random) {
        FairShare present = present();
        if (present == null || !NamedPartitions.looks(random)) {
            return;
        }
        double part = present.partOfServed(partition);
        if (part >= NamedPartitions.LEAST_PART) {
            named.saw(partition, part, () -> new NamedPartition(table, key));
        }
    }

    /** Whether the partition holds so much of the threads' time that it may be cut once operations wait. */
    boolean isLarge(long partition) {
        FairShare present = present();
        return present != null && present.isLarge(partition);
    }

    /** Averages the refusals, and forgets the names of partitions that hold little; call it each second. */
    void tick() {
        FairShare present = present();
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
        FairShare present = present();
        if (present != null) {
            long now = System.nanoTime();
            named.forEach(partition -> present.shareOf(partition, now), to);
        }
    }

    /** Whether operations wait for a thread; null while nothing is measured. */
    Boolean isSaturated() {
        FairShare present = present();
        return present == null ? null : present.isSaturated();
    }

    /** The time that the partition is known to hold, in nanoseconds; 0 while nothing is measured. */
    long nanosOf(long partition) {
        FairShare present = present();
        return present == null ? 0 : present.nanosOf(partition);
    }

    /** Whether its operations have shares, are to have them, or have to be let go. */
    boolean isToBeLookedAt() {
        return !mode.isOff() || shares != null;
    }

    /** Measures the queue and, at each interval, sets the shares; call it each ten milliseconds. */
    void look(long nowNanos) {
        clock.tick(nowNanos);
        if (mode.isOff()) {
            if (shares != null) {
                shares = null;
                log.endAll();
            }
            return;
        }
        FairShare present = shares;
        if (present == null) {
            queue = new StageQueue(stage, clock);
            lastLookNanos = nowNanos;
            shares = new FairShare(SLOTS, hashSeed, log, clock, nowNanos);
            return;
        }
        long running = clock.running(nowNanos);
        queue.measure(running);
        if (isDue(present, nowNanos)) {
            lastLookNanos = nowNanos;
            tellOfThoseUnderWay.accept(running);
            boolean enforced = isEnforced();
            present.enforce(enforced);
            log.enforce(enforced);
            present.look(queue.leastWait(running), queue.threads(), queue.busyThreads(), nowNanos);
        }
    }

    /** Whether to look: each interval, and as soon as a queue has stood for one, in which all operations wait. */
    private boolean isDue(FairShare present, long nowNanos) {
        long sinceLast = nowNanos - lastLookNanos;
        return sinceLast >= FairShare.INTERVAL_NANOS
                || sinceLast > FairShare.TARGET_NANOS
                        && !present.isSaturated()
                        && queue.standsNanos() >= FairShare.INTERVAL_NANOS;
    }

    /** Operations refused since the node started. */
    long refused() {
        return refused.sum();
    }

    /** Operations that a dry run has served although they were over their partition's share. */
    long wouldRefuse() {
        return wouldRefuse.sum();
    }

    /** Times a partition began to be cut, since the node started. */
    long cuts() {
        return log.cuts();
    }
}
