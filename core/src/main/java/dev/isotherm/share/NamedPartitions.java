// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.share;

import dev.isotherm.common.Allowed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongToDoubleFunction;
import java.util.function.Supplier;

/**
 * The names of the partitions on which a pool spends most of its time, of which {@link FairShare} knows ids alone, and
 * how many of their operations are refused. Thread safe. Requests take no lock, but where {@link #saw} finds a large
 * partition without a name while fewer than {@link #MOST} have one: it takes the lock of {@link #tick}, once for each.
 *
 * <p>A partition gets a name while it holds {@link #LEAST_PART} of the time that is served at all, and keeps it until
 * it holds less than half of that and is no longer refused: at most {@link #MOST} have one.
 *
 * @param <N> what names a partition
 */
public final class NamedPartitions<N> {
    /** The part of the time served that a partition is named for. */
    public static final double LEAST_PART = 1.0 / 128;

    /** The most partitions with a name. */
    public static final int MOST = 512;

    /** Age at which a refusal counts 1/e. */
    static final double TIME_CONSTANT_SECONDS = 3;

    /** Receives one partition. */
    public interface Entry<N> {
        /**
         * @param share its part of the time of the pool's threads, 0 to 1
         * @param refusedPerSecond a moving average
         */
        void partition(N name, double share, double refusedPerSecond);
    }

    private static final class Named<N> {
        final N name;
        final LongAdder refused = new LongAdder();
        /** A moving average, written by the ticking thread and read by others. */
        volatile double refusedPerSecond;

        Named(N name) {
            this.name = name;
        }
    }

    /** All partitions that have names, in order: a look-up allocates nothing. Replaced, never changed. */
    private static final class Known<N> {
        final long[] ids;
        final List<Named<N>> named;

        /** @param named in the order of the ids */
        Known(TreeMap<Long, Named<N>> named) {
            ids = named.keySet().stream().mapToLong(id -> id).toArray();
            this.named = List.copyOf(named.values());
        }

        /** Null if the partition has no name. */
        Named<N> of(long partition) {
            int place = Arrays.binarySearch(ids, partition);
            return place < 0 ? null : named.get(place);
        }
    }

    /** Guarded by this. */
    private final TreeMap<Long, Named<N>> named = new TreeMap<>();

    private volatile Known<N> known = new Known<>(named);

    /** Whether an operation with these random bits looks for its partition: one in eight. If not, omit {@link #saw}. */
    public static boolean looks(int random) {
        return (random & 7) == 0;
    }

    /** Names a partition that holds this part of the time served, unless it is too small, has a name, or no room is. */
    public void saw(long partition, double part, Supplier<N> name) {
        if (part < LEAST_PART) {
            return;
        }
        Known<N> all = known;
        // None waits for the lock to find that there is no room.
        if (all.ids.length < MOST && all.of(partition) == null) {
            name(partition, name);
        }
    }

    private synchronized void name(long partition, Supplier<N> name) {
        if (named.size() < MOST && !named.containsKey(partition)) {
            named.put(partition, new Named<>(name.get()));
            changed();
        }
    }

    private void changed() {
        known = new Known<>(named);
    }

    /** An operation on a partition has been refused. */
    public void refused(long partition) {
        Named<N> its = known.of(partition);
        if (its != null) {
            its.refused.increment();
        }
    }

    /**
     * Takes in the refusals since the last call, and forgets the partitions that have become small; call it each
     * second, from one thread.
     *
     * @param seconds since the last call, above 0
     * @param partOf the part of the time served that each partition holds now
     */
    public synchronized void tick(double seconds, LongToDoubleFunction partOf) {
        if (!(seconds > 0)) {
            throw Allowed.refusal("seconds", seconds, "above 0");
        }
        double kept = Math.exp(-seconds / TIME_CONSTANT_SECONDS);
        boolean forgot = named.entrySet().removeIf(entry -> {
            Named<N> its = entry.getValue();
            its.refusedPerSecond = kept * its.refusedPerSecond + (1 - kept) * its.refused.sumThenReset() / seconds;
            return partOf.applyAsDouble(entry.getKey()) < LEAST_PART / 2 && its.refusedPerSecond < 1;
        });
        if (forgot) {
            changed();
        }
    }

    /** Forgets all. */
    public synchronized void clear() {
        named.clear();
        changed();
    }

    /**
     * Passes on the named partitions, those with the largest shares first.
     *
     * @param shareOf the part of the time of the pool's threads that each partition holds now
     */
    public void forEach(LongToDoubleFunction shareOf, Entry<N> to) {
        Known<N> all = known;
        List<Map.Entry<Named<N>, Double>> shares = new ArrayList<>();
        for (int i = 0; i < all.ids.length; i++) {
            shares.add(Map.entry(all.named.get(i), shareOf.applyAsDouble(all.ids[i])));
        }
        shares.sort(Map.Entry.comparingByValue(Comparator.reverseOrder()));
        for (Map.Entry<Named<N>, Double> share : shares) {
            Named<N> its = share.getKey();
            to.partition(its.name, share.getValue(), its.refusedPerSecond);
        }
    }
}
