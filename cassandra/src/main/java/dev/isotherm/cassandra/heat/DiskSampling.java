// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import dev.isotherm.cassandra.runtime.DiskWaits;
import dev.isotherm.cassandra.wire.WireHandlers;
import dev.isotherm.heat.DiskPlaces;
import dev.isotherm.heat.DiskReads;
import dev.isotherm.warming.CopyPlaces;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.DoubleSupplier;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import org.apache.cassandra.concurrent.Stage;
import org.apache.cassandra.db.ReadCommand;
import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.net.Verb;
import org.apache.cassandra.schema.TableId;

/**
 * Samples the local reads of tables: how often they wait for the disk, and how long they take.
 *
 * <p>A read that had the disk read has waited for it as often as its thread slept meanwhile. One that only set off the
 * kernel's reading ahead has not.
 *
 * <p>A read for another coordinator lies between its message's arrival at the sinks and its response's departure,
 * both on the thread that serves it. A read for this coordinator lies between the beginning of the statement and the
 * timing that Cassandra reports of it, if both are on the statement's thread; it is not sampled if Cassandra hands it
 * to a thread of the read stage.
 *
 * <p>Copies of reads that warm this node are counted like its other reads: they say as much of its caches, and where
 * these fill by copies there are more of them.
 */
final class DiskSampling implements DiskWaits {
    private final LongSupplier nanoClock;
    private final DoubleSupplier random;
    private final IntSupplier underWay;
    private final DiskPlaces places;
    private final Map<TableId, DiskReads> tables = new ConcurrentHashMap<>();
    /** The reads sampled of tables that are no longer followed. */
    private long past;

    private final ThreadLocal<Sample> samples = ThreadLocal.withInitial(Sample::new);
    /**
     * The threads' samples that have begun and not ended. While there is none, and most reads are not sampled, no
     * thread need look for its own, which costs more than this.
     */
    private final AtomicInteger open = new AtomicInteger();
    /** What was begun in another one has ended unseen. */
    private volatile int round;

    /** The read that a thread serves, if it is sampled. */
    static final class Sample {
        final ThreadDiskReads usage = new ThreadDiskReads();
        DiskReads reads;
        boolean here;
        /** Null for a read of more than one partition, or of one that is not known. */
        Token token;

        /** The reads under way at the node when it began, itself included. */
        int underWay;

        long diskReads;
        long sleeps;
        long begunNanos;
        int round;
    }

    /** Of the reads that this node's read stage serves. */
    DiskSampling() {
        this(System::nanoTime, () -> ThreadLocalRandom.current().nextDouble(), () -> Stage.READ
                .executor()
                .getActiveTaskCount());
    }

    /**
     * @param random numbers in [0, 1), for any thread
     * @param underWay how many tasks the read stage serves now
     */
    DiskSampling(LongSupplier nanoClock, DoubleSupplier random, IntSupplier underWay) {
        this.nanoClock = nanoClock;
        this.random = random;
        this.underWay = underWay;
        this.places = new DiskPlaces(nanoClock.getAsLong());
    }

    void install(WireHandlers handlers) {
        handlers.receiveAll(Verb.READ_REQ, "A read is not sampled", (message, value) -> {
            if (message.payload instanceof ReadCommand) {
                Sample sample = begin(((ReadCommand) message.payload).metadata().id, false);
                if (sample != null && message.payload instanceof SinglePartitionReadCommand) {
                    sample.token = ((SinglePartitionReadCommand) message.payload)
                            .partitionKey()
                            .getToken();
                }
            }
            return true;
        });
        handlers.watch(List.of(Verb.READ_RSP), "A read is not sampled", (message, to) -> end(false));
        handlers.watchLocalReads("A read of this node is not sampled", nanos -> end(true));
    }

    /** Samples the table's reads from now on. */
    synchronized void follow(TableId table, DiskReads reads) {
        leave(tables.put(table, reads));
    }

    /** Samples no other tables from now on. */
    synchronized void followOnly(Set<TableId> followed) {
        for (TableId table : tables.keySet()) {
            if (!followed.contains(table)) {
                leave(tables.remove(table));
            }
        }
    }

    private void leave(DiskReads reads) {
        past += reads == null ? 0 : reads.sampled();
    }

    /** The reads sampled since the node started; those that end while their table is dropped may be missing. */
    synchronized long sampled() {
        return past + tables.values().stream().mapToLong(DiskReads::sampled).sum();
    }

    /**
     * The present thread begins to serve a read; what it served before has ended.
     *
     * @param table the table; null for a statement that is no plain read
     * @param here whether this node coordinates the read
     * @return the thread's sample; null if the read is not sampled
     */
    Sample begin(TableId table, boolean here) {
        DiskReads reads = table == null ? null : tables.get(table);
        boolean isSampled = reads != null && reads.isSampled(random.getAsDouble());
        if (!isSampled && open.get() == 0) {
            return null;
        }
        Sample sample = samples.get();
        close(sample);
        if (isSampled) {
            sample.token = null;
            start(sample, reads, here);
        }
        return sample.reads == null ? null : sample;
    }

    /** The thread serves what it has sampled no longer. */
    private void close(Sample sample) {
        if (sample.reads != null) {
            sample.reads = null;
            open.decrementAndGet();
        }
    }

    private void start(Sample sample, DiskReads reads, boolean here) {
        if (sample.usage.ask()) {
            sample.here = here;
            // The stage serves another coordinator's read already, and a statement's only later.
            sample.underWay = Math.max(1, underWay.getAsInt() + (here ? 1 : 0));
            sample.diskReads = sample.usage.diskReads();
            sample.sleeps = sample.usage.sleeps();
            sample.begunNanos = nanoClock.getAsLong();
            sample.reads = reads;
            sample.round = round;
            open.incrementAndGet();
        }
    }

    /** Reads have begun and ended unseen: the samples that have begun are no samples. For one thread at a time. */
    void beginAnew() {
        round++;
    }

    /** The present thread begins to serve a copy of a read. */
    @Override
    public void begin(SinglePartitionReadCommand read) {
        Sample sample = samples.get();
        close(sample);
        DiskReads reads = tables.get(read.metadata().id);
        if (reads != null) {
            sample.token = read.partitionKey().getToken();
            start(sample, reads, false);
        }
    }

    /** The present thread has served its copy of a read. */
    @Override
    public long end() {
        Sample sample = samples.get();
        DiskReads reads = sample.reads;
        if (reads == null) {
            return CopyPlaces.NOT_KNOWN;
        }
        close(sample);
        long nanos = nanoClock.getAsLong() - sample.begunNanos;
        if (!sample.usage.ask()) {
            return CopyPlaces.NOT_KNOWN;
        }
        long waits = waits(sample);
        if (reads.isSampled(random.getAsDouble())) {
            reads.add(tokenBits(sample.token), waits, Math.max(0, nanos));
        }
        return waits;
    }

    /** How often the thread has waited for the disk since the sample began. */
    private static long waits(Sample sample) {
        boolean fromDisk = sample.usage.diskReads() > sample.diskReads;
        return fromDisk ? sample.usage.sleeps() - sample.sleeps : 0;
    }

    /** The present thread has served its read. */
    void end(boolean here) {
        if (open.get() == 0) {
            return;
        }
        Sample sample = samples.get();
        DiskReads reads = sample.reads;
        if (reads == null || sample.here != here) {
            return;
        }
        close(sample);
        if (sample.round != round) {
            return;
        }
        long nanos = nanoClock.getAsLong() - sample.begunNanos;
        Token token = here ? ReadContext.current().lastToken() : sample.token;
        if (!sample.usage.ask()) {
            return;
        }
        long waits = waits(sample);
        long took = Math.max(0, nanos);
        places.add(sample.underWay, waits, reads.waitedNanos(took), reads.partSampled());
        if (token == null) {
            reads.add(waits, took);
        } else {
            reads.add(tokenBits(token), waits, took);
        }
    }

    /** Brings up to date how many reads the disk serves side by side. For one thread at a time. */
    void settle() {
        places.settle(nanoClock.getAsLong());
    }

    /** {@link DiskPlaces#servedAtOnce}. */
    int servedAtOnce() {
        return places.servedAtOnce();
    }

    /** A number that tells partitions apart. */
    static long tokenBits(Token token) {
        return token instanceof Murmur3Partitioner.LongToken
                ? ((Murmur3Partitioner.LongToken) token).token
                : token.hashCode();
    }
}
