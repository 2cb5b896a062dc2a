// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.share;

import dev.isotherm.common.RunningClock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * The fair shares of one pool of threads. While requests wait for a thread, each partition may hold at most its fair
 * share of the threads' time; otherwise nothing is refused.
 *
 * <p>{@link #refusing} and {@link #served} take no lock and allocate nothing, on any thread; one thread calls
 * {@link #look} at regular intervals.
 */
public final class FairShare {
    /*
     * Water-filling: of what the pool can give away, what the small partitions use is taken off; what is left is the
     * large ones', with the max-min level as the most that one may hold, but never less than LEAST_SHARE of the pool. A
     * large partition's operations are admitted with the probability of the level to what it asks for. What it asks for
     * is counted with the refused operations, so that the probability follows within an interval. An operation that
     * another node has admitted with probability p stands for 1/p of them (Horvitz and Thompson, "A generalization of
     * sampling without replacement from a finite universe", JASA 1952): what is refused elsewhere is asked for too.
     *
     * Small partitions' operations queue up behind the large ones'. A queue serves all alike: of theirs the same part
     * has been served as of the large ones', whose admitted operations are counted.
     *
     * A little is given to nobody. Clients with a fixed number of requests under way ask for as much as they are
     * answered: the small partitions, having lost threads while a queue stood, would not ask for them again if the
     * large ones had all that they leave.
     *
     * A cut changes what is asked for next, and not what threads have begun. Where operations last longer than a look,
     * a partition that holds more threads than it may is admitted less than its share, so that in WORK_OFF_SECONDS the
     * difference would have ended: proportional control of the threads held.
     *
     * The share LEAST_SHARE bounds how many partitions can be too large, and the probability that a partition becomes
     * the victim of an error of the measurement.
     */

    /** Part of the pool below which no partition is cut. */
    public static final double LEAST_SHARE = 1.0 / 8;

    /** The time between two looks: CoDel's interval. */
    public static final long INTERVAL_NANOS = 100_000_000;

    /** Time between two looks beyond which the process is taken to have stood still. */
    public static final long LATE_NANOS = 2 * INTERVAL_NANOS;

    /** The wait for a thread up to which a node is not saturated: CoDel's target. */
    public static final long TARGET_NANOS = 5_000_000;

    /** Largest weight: one admitted operation stands for at most this many. */
    public static final int MOST_WEIGHT = 1024;

    /** Age at which an operation counts 1/e of its time. */
    private static final double TIME_CONSTANT_SECONDS = 0.5;

    /** Share of the threads' time from which on a partition is large. */
    static final double WATCHED_SHARE = LEAST_SHARE / 2;

    /** A partition that is known to hold less of this share at a look is not large before the next. */
    private static final double NEARLY_WATCHED = 0.8 * WATCHED_SHARE;

    private static final double QUIET_SECONDS = 1;
    /** How long the decisions of a look count if no other follows, and its measurements where the next is late. */
    private static final long MOST_BETWEEN_LOOKS_NANOS = 2_000_000_000L;

    private static final double MOST_QUEUED = 3;
    private static final WatchedPartition[] NONE = {};

    /** Is told, on the looking thread, when a partition begins to be cut and when it is admitted whole again. */
    public interface Listener {
        void began(WatchedPartition partition);

        void ended(WatchedPartition partition);
    }

    private final ServedTime times;
    private final Capacity capacity;
    private final RunningClock clock;
    private final Listener listener;
    private final LongAdder others = new LongAdder();
    private volatile WatchedPartition[] watched = NONE;
    private volatile boolean saturated;
    private volatile long lookedNanos;
    private volatile ServedScale scale = ServedScale.NONE;
    /** Whether any partition may be large; where none is, which is nearly always, nobody looks for one. */
    private volatile boolean isAnyLarge;

    private boolean enforced = true;
    private long lastNanos;
    private double otherThreads;
    private double busyThreads;
    private Cutting cutting = Cutting.NONE;

    /**
     * @param slots the number of partitions whose time is known, as of {@link ServedTime}
     * @param hashSeed any number that others cannot guess
     * @param clock by which operations hold time; the caller ticks it more often than it looks
     * @param nowNanos the present, on the clock of all calls
     */
    public FairShare(int slots, long hashSeed, Listener listener, RunningClock clock, long nowNanos) {
        this.clock = clock;
        this.times = new ServedTime(slots, hashSeed);
        this.capacity = new Capacity(TARGET_NANOS);
        this.listener = listener;
        this.lastNanos = clock.running(nowNanos);
        this.lookedNanos = nowNanos;
    }

    /**
     * Decides about an operation.
     *
     * @param mostShare the most that the partition may hold of a saturated pool, above 0, at most 1; below 1 it takes
     *     the place of the fair share
     * @param random any 32 bits; those by which another node has admitted the operation, if one has
     * @param weight for how many it stands: the {@link WatchedPartition#weight} with which another node has admitted
     *     it; 1 if none has. Nonsense counts as the nearest that is allowed.
     * @return the partition if the operation is refused; null if it is admitted
     */
    public WatchedPartition refusing(long partition, double mostShare, int random, int weight) {
        WatchedPartition found = watched(partition);
        int standsFor = Math.max(1, Math.min(MOST_WEIGHT, weight));
        return found != null && found.refuses(mostShare, random, standsFor) ? found : null;
    }

    /** Whether decisions count no longer, as {@link #look} has not been called for two seconds. */
    public boolean isOutdated(long nowNanos) {
        return nowNanos - lookedNanos > MOST_BETWEEN_LOOKS_NANOS;
    }

    /** The partition if it is so large, in a saturated pool, that decisions about it count; null otherwise. */
    public WatchedPartition watched(long partition) {
        WatchedPartition[] all = watched;
        for (int i = 0; i < all.length; i++) {
            if (all[i].partition() == partition) {
                return all[i];
            }
        }
        return null;
    }

    /** A thread of the pool has served an operation on a partition, of which {@link #holds} has told nothing. */
    public void served(long partition, long nanos) {
        ended(partition, nanos, nanos);
    }

    /**
     * A thread of the pool serves an operation on a partition and goes on. What takes long holds its share before it
     * ends: else the first operations of a partition with costly ones would hold all threads unseen. For the looking
     * thread, before {@link #look}.
     *
     * @param nanos how long it has held the thread that has not been told of it
     * @param lasted how long it has held the thread
     */
    public void holds(long partition, long nanos, long lasted) {
        times.addTime(partition, nanos);
        WatchedPartition found = watched(partition);
        if (found != null && lasted > 0) {
            found.holds(Math.min(lasted, ServedTime.MOST_NANOS), nanos == lasted);
        }
    }

    /**
     * A thread of the pool has served an operation on a partition.
     *
     * @param nanos how long it has held the thread that {@link #holds} has not told of it
     * @param lasted how long it has held the thread
     */
    public void ended(long partition, long nanos, long lasted) {
        times.add(partition, nanos);
        WatchedPartition found = watched(partition);
        if (found != null && lasted > 0) {
            found.ended(Math.min(lasted, ServedTime.MOST_NANOS), nanos == lasted);
        }
    }

    /** A thread of the pool has served something that is not to be cut. */
    public void servedOther(long nanos) {
        if (nanos > 0) {
            others.add(nanos);
        }
    }

    /** The time that a partition is known to hold of the last half second, with older time fading, in nanoseconds. */
    public long nanosOf(long partition) {
        return times.nanosOf(partition);
    }

    /**
     * The part of the threads' time that a partition is known to hold at present, 0 to 1, whether the pool is saturated
     * or not; 0 before the first look. Takes no lock and allocates nothing.
     */
    public double shareOf(long partition, long nowNanos) {
        return scale.share(times.nanosOf(partition), nowNanos);
    }

    /**
     * Which part of the time that all partitions together were served lately this one is known to hold, 0 to 1; 0
     * before the first look. Where they were served less than a 64th of the threads' time, which part of that. Takes
     * no lock and allocates nothing.
     */
    public double partOfServed(long partition) {
        return scale.part(times.nanosOf(partition));
    }

    /**
     * Whether a partition is known to hold so much of the threads' time that it is cut once the pool is saturated and
     * asked for more: about {@link #WATCHED_SHARE}, and up to a fifth less. It is known from the look on at which it
     * holds that. Takes no lock, allocates nothing and does not ask for the time.
     */
    public boolean isLarge(long partition) {
        return isAnyLarge && scale.shareAtLook(times.nanosOf(partition)) >= WATCHED_SHARE;
    }

    /** Whether requests wait for the pool, or partitions are still cut because they did. */
    public boolean isSaturated() {
        return saturated;
    }

    /** The partitions that are cut at present; not to be changed. */
    public List<WatchedPartition> cut() {
        List<WatchedPartition> cut = new ArrayList<>();
        for (WatchedPartition partition : watched) {
            if (partition.isCut()) {
                cut.add(partition);
            }
        }
        return cut;
    }

    /** Sets whether shares refuse operations from the next look on; if they do not, they are only worked out. */
    public void enforce(boolean enforces) {
        enforced = enforces;
    }

    /**
     * Takes in the time since the last call, and sets which part of each large partition is admitted until the next.
     * Call it each {@link #INTERVAL_NANOS}; a call at which the clock has not advanced does nothing.
     *
     * @param leastWaitNanos the least that a request waited for a thread since the last call
     * @param poolThreads all threads of the pool, 1 or above
     * @param busy those of them that were busy since the last call, on average
     */
    public void look(long leastWaitNanos, int poolThreads, double busy, long nowNanos) {
        long running = clock.running(nowNanos);
        long nanos = running - lastNanos;
        if (nanos <= 0) {
            return;
        }
        lastNanos = running;
        if (isOutdated(nowNanos)) {
            beginAnew();
            lookedNanos = nowNanos;
            return;
        }
        double seconds = nanos * 1e-9;
        int threads = Math.max(1, poolThreads);
        long waitNanos = Math.max(0, leastWaitNanos);
        double kept = Math.exp(-seconds / TIME_CONSTANT_SECONDS);
        // A sum that keeps this part at each interval stands for so much a second.
        double perSecond = (1 - kept) / seconds;
        busyThreads = busyThreads * kept + busy * (1 - kept);
        otherThreads = otherThreads * kept + others.sumThenReset() * 1e-9 / seconds * (1 - kept);
        long totalNanos = times.totalNanos();
        double partitionThreads = totalNanos * 1e-9 * perSecond;
        capacity.look(
                seconds,
                nowNanos - lookedNanos > LATE_NANOS,
                waitNanos,
                threads,
                busyThreads,
                () -> SmallOperations.nanos(times, totalNanos),
                cutting);
        if (capacity.isSaturated()) {
            // Requests are decided about while this thread alone is late, too: their rate is that of the wall clock.
            share((nowNanos - lookedNanos) * 1e-9, kept, perSecond, partitionThreads, waitNanos, threads);
        } else if (saturated) {
            release();
        }
        saturated = capacity.isSaturated();
        times.decay(kept);
        scale = new ServedScale(nowNanos, seconds, kept, threads, totalNanos);
        isAnyLarge = scale.shareAtLook(times.mostNanos()) >= NEARLY_WATCHED;
        // At the end: a look that throws has decided nothing.
        lookedNanos = nowNanos;
    }

    private void share(
            double seconds, double kept, double perSecond, double partitionThreads, long waitNanos, int poolThreads) {
        boolean queued = waitNanos > TARGET_NANOS;
        WatchedPartition[] present = LargePartitions.of(times, watched, capacity.threads(), perSecond, listener);
        double busy = 0;
        double admitted = 0;
        for (WatchedPartition partition : present) {
            Demand demand = partition.demand;
            if (Arrays.asList(watched).contains(partition)) {
                partition.look(seconds, kept, enforced);
                demand.waits(waitNanos * 1e-9);
                demand.served(times.nanosOf(partition.partition()) * 1e-9 * perSecond, queued);
            }
            busy += demand.busyThreads();
            admitted += demand.unqueuedThreads(queued);
        }
        double unserved = busy > 0 ? Math.max(1, Math.min(MOST_QUEUED, admitted / busy)) : 1;
        double small = Math.max(0, partitionThreads - busy + otherThreads) * unserved;
        double givenAway = Headroom.givenAway(capacity.available(), present, poolThreads);
        cutting = WaterFilling.admit(present, givenAway - small, capacity.threads(), poolThreads);
        watched = present;
        tell(present);
    }

    private void tell(WatchedPartition[] present) {
        for (WatchedPartition partition : present) {
            if (partition.begins()) {
                listener.began(partition);
            } else if (partition.ends(QUIET_SECONDS)) {
                listener.ended(partition);
            }
        }
    }

    private void beginAnew() {
        times.decay(0);
        others.reset();
        scale = ServedScale.NONE;
        isAnyLarge = false;
        release();
        saturated = false;
    }

    private void release() {
        WatchedPartition[] present = watched;
        watched = NONE;
        cutting = Cutting.NONE;
        Arrays.stream(present).filter(WatchedPartition::leaves).forEach(listener::ended);
    }
}
