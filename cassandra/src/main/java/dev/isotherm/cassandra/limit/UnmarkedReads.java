// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.apache.cassandra.locator.InetAddressAndPort;

/**
 * Which coordinators' reads without a decision may be refused by the replica they reach.
 *
 * <p>A value on each read costs more than all else of a share. So a coordinator announces itself to each replica, by a
 * value on one read in {@link #EACH_NANOS}. While such an announcement holds, the replica takes what has no value for a
 * read of a SELECT of one partition of which the coordinator has not decided by any share. What may not be refused
 * carries a value that says so.
 *
 * <p>Wire form of either value: one byte. A node of an earlier build takes no value of that length, and refuses nothing
 * without a decision.
 */
final class UnmarkedReads {
    /** Of a read that may be refused: so may those without a value. */
    static final byte ANNOUNCES = 0;
    /** Of a read that may not be refused. */
    static final byte EXEMPT = 1;

    /** The time between two announcements of a coordinator to a replica. */
    static final long EACH_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
    /** How long an announcement holds. */
    static final long HOLDS_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final byte[] ANNOUNCEMENT = {ANNOUNCES};
    private static final byte[] EXEMPTION = {EXEMPT};

    /** When this node, as a coordinator, has announced itself to a replica. */
    private final Map<InetAddressAndPort, AtomicLong> announced = new ConcurrentHashMap<>();
    /** When a coordinator has announced itself to this node. */
    private final Map<InetAddressAndPort, AtomicLong> heard = new ConcurrentHashMap<>();

    private final Predicate<InetAddressAndPort> known;

    /** @param known whether gossip knows the node: what is remembered of nodes is bounded by their number */
    UnmarkedReads(Predicate<InetAddressAndPort> known) {
        this.known = known;
    }

    /** The value for a read that may be refused and about which no share has decided; null for none. */
    byte[] mayBeRefused(InetAddressAndPort replica, long nowNanos) {
        AtomicLong last = announced.get(replica);
        if (last == null) {
            return announced.putIfAbsent(replica, new AtomicLong(nowNanos)) == null ? ANNOUNCEMENT : null;
        }
        long before = last.get();
        return nowNanos - before >= EACH_NANOS && last.compareAndSet(before, nowNanos) ? ANNOUNCEMENT : null;
    }

    /** The value for a read that may not be refused. */
    byte[] mayNotBeRefused() {
        return EXEMPTION;
    }

    /**
     * Whether a read without a decision may be refused.
     *
     * @param value what it carries; null for nothing
     */
    boolean isRefusable(InetAddressAndPort coordinator, byte[] value, long nowNanos) {
        if (value == null) {
            AtomicLong last = heard.get(coordinator);
            return last != null && nowNanos - last.get() <= HOLDS_NANOS;
        }
        if (value.length != 1 || value[0] != ANNOUNCES || !known.test(coordinator)) {
            return false;
        }
        AtomicLong last = heard.computeIfAbsent(coordinator, node -> new AtomicLong(nowNanos));
        last.set(nowNanos);
        return true;
    }

    /** Forgets nodes that are not heard of any more, and those that get no reads; call it regularly. */
    void sweep(long nowNanos) {
        announced.values().removeIf(last -> nowNanos - last.get() > HOLDS_NANOS);
        heard.values().removeIf(last -> nowNanos - last.get() > HOLDS_NANOS);
    }
}
