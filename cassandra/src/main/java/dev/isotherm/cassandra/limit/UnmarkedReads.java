// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.apache.cassandra.locator.InetAddressAndPort;

/**
 * Which coordinators' reads without a value may be refused by the replica they reach.
 *
 * <p>A value on each read costs more than all else of a share. So a coordinator announces itself to each replica, by a
 * value on one read in {@link #EACH_NANOS}. While such an announcement holds, the replica takes what has no value for a
 * read of a SELECT of one partition of which the coordinator has not decided by any share. What may not be refused then
 * carries a value that says so.
 *
 * <p>Wire form of either value: one byte. A node of an earlier build takes no value of that length, and neither refuses
 * nor times what has no decision.
 *
 * <p>All instants are those at which a message was made, as the node says that calls: how long a read waits for its
 * thread does not matter. Of a statement's reads that is when it began, however many pages of them it asks for: what
 * was announced is remembered for as long as a replica may take a read for one of that time. Thread safe.
 */
final class UnmarkedReads {
    /** The value of a read that may be refused: it announces that those without a value may be, too. */
    static final byte ANNOUNCES = 0;
    /** The value of a read that may not be refused. */
    static final byte EXEMPT = 1;

    /** The time between two announcements of a coordinator to a replica. */
    static final long EACH_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
    /** How long an announcement holds. */
    static final long HOLDS_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** Time after the first one at which it begins to hold: what was sent just before it was noted carries nothing. */
    static final long BEGINS_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    /**
     * Most time from making a message to noting its announcement. One noted later, as where the thread had to wait, is
     * not sent: what was made meanwhile may carry nothing, and be made after the announcement began to hold.
     */
    static final long NOTED_NANOS = BEGINS_NANOS / 2;
    /** Time after the last one for which what may not be refused says so: the two nodes' clocks differ a little. */
    static final long EXEMPTS_NANOS = 2 * HOLDS_NANOS;
    /** Time for which announcements are kept: a read that waits for its thread for longer has timed out. */
    private static final long KEPT_NANOS = TimeUnit.MINUTES.toNanos(1);

    private static final byte[] ANNOUNCEMENT = {ANNOUNCES};
    private static final byte[] EXEMPTION = {EXEMPT};

    /** A coordinator's announcements without a gap. */
    private static final class Announced {
        final long from;
        final long until;

        Announced(long from, long until) {
            this.from = from;
            this.until = until;
        }
    }

    /**
     * When this node, as a coordinator, has announced itself to a replica. Instants are replaced and never changed: one
     * that the sweep has found old may be noted anew before it is removed.
     */
    private final Map<InetAddressAndPort, Long> announced = new ConcurrentHashMap<>();
    /** The coordinators that have announced themselves to this node. */
    private final Map<InetAddressAndPort, Announced> heard = new ConcurrentHashMap<>();

    private final Predicate<InetAddressAndPort> known;
    private final LongSupplier clock;

    /**
     * @param known whether gossip knows the node: what is remembered of nodes is bounded by their number
     * @param clock the instant now, on the clock of {@link #madeAt}
     */
    UnmarkedReads(Predicate<InetAddressAndPort> known, LongSupplier clock) {
        this.known = known;
        this.clock = clock;
    }

    /**
     * When a message was made, by what it says: at the latest now. The clock of its sender may be ahead, and be set
     * back, and what it has announced would hold for as long.
     */
    static long madeAt(long createdAtNanos, long nowNanos) {
        return createdAtNanos - nowNanos > 0 ? nowNanos : createdAtNanos;
    }

    /** The value for a read that may be refused and about which no share has decided; null for none. */
    byte[] mayBeRefused(InetAddressAndPort replica, long nanos) {
        // Asked before, so that one that is late leaves the turn to the next; and once it is noted, in time.
        return isInTime(nanos) && notes(replica, nanos) && isInTime(nanos) ? ANNOUNCEMENT : null;
    }

    private boolean isInTime(long nanos) {
        return clock.getAsLong() - nanos <= NOTED_NANOS;
    }

    /** Whether an announcement to the replica is due; it is noted then: from now on what may not be refused says so. */
    private boolean notes(InetAddressAndPort replica, long nanos) {
        Long last = announced.get(replica);
        if (last == null) {
            return announced.putIfAbsent(replica, nanos) == null;
        }
        return nanos - last >= EACH_NANOS && announced.replace(replica, last, nanos);
    }

    /** The value for a read that may not be refused; null for none, where no announcement may hold. */
    byte[] mayNotBeRefused(InetAddressAndPort replica, long nanos) {
        Long last = announced.get(replica);
        return last != null && nanos - last <= EXEMPTS_NANOS ? EXEMPTION : null;
    }

    /** The value for a read of which it is not known whether it may be refused. */
    static byte[] exemption() {
        return EXEMPTION;
    }

    /** Whether this is the value of a read about which no share has decided. */
    static boolean isOfUndecided(byte[] value) {
        return value != null && value.length == 1 && (value[0] == ANNOUNCES || value[0] == EXEMPT);
    }

    /** Whether no replica may take a read of this node's for one that it announced. */
    boolean isUnannounced() {
        return announced.isEmpty();
    }

    /**
     * Whether a read without a decision may be refused.
     *
     * @param value what it carries; null for nothing
     */
    boolean isRefusable(InetAddressAndPort coordinator, byte[] value, long nanos) {
        if (value == null) {
            Announced present = heard.get(coordinator);
            return present != null && nanos - present.from >= 0 && nanos - present.until <= 0;
        }
        if (value.length != 1 || value[0] != ANNOUNCES || !known.test(coordinator)) {
            return false;
        }
        heard.compute(coordinator, (node, present) -> heard(present, nanos));
        return true;
    }

    private static Announced heard(Announced present, long nanos) {
        long until = nanos + HOLDS_NANOS;
        if (present == null || nanos - present.until > 0) {
            return new Announced(nanos + BEGINS_NANOS, until);
        }
        return until - present.until > 0 ? new Announced(present.from, until) : present;
    }

    /** Forgets nodes that are not heard of any more, and those that get no reads; call it regularly. */
    void sweep(long nowNanos) {
        announced.values().removeIf(last -> nowNanos - last > EXEMPTS_NANOS + KEPT_NANOS);
        heard.values().removeIf(present -> nowNanos - present.until > KEPT_NANOS);
    }
}
