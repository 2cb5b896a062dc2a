// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.locator.InetAddressAndPort;

/**
 * What saturated replicas have refused lately, as their answers say: by it this coordinator knows why a read failed.
 *
 * <p>Wire form of an answer's value, big-endian: the id of the partition (8 bytes), the part of the threads' time that
 * it held (4, a float) and the part that it may hold (4, a float).
 */
final class ShareRefusals {
    private static final int BYTES = 8 + 4 + 4;
    private static final int MOST = 8192;
    private static final long KEPT_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** A replica's refusal of reads of a partition. */
    static final class Refusal {
        final double held;
        final double mayHold;
        final long atNanos;

        private Refusal(double held, double mayHold, long atNanos) {
            this.held = held;
            this.mayHold = mayHold;
            this.atNanos = atNanos;
        }
    }

    private final Map<Refused, Refusal> refusals = new ConcurrentHashMap<>();

    static byte[] encode(long partition, double held, double mayHold) {
        return ByteBuffer.allocate(BYTES)
                .putLong(partition)
                .putFloat((float) held)
                .putFloat((float) mayHold)
                .array();
    }

    /** @throws IllegalArgumentException when the bytes are not a refusal */
    void received(InetAddressAndPort replica, byte[] value, long nowNanos) {
        if (value.length != BYTES) {
            throw new IllegalArgumentException(value.length + " bytes, not " + BYTES);
        }
        ByteBuffer in = ByteBuffer.wrap(value);
        long partition = in.getLong();
        double held = in.getFloat();
        double mayHold = in.getFloat();
        if (!(held >= 0 && held <= 1 && mayHold >= 0 && mayHold <= 1)) {
            throw new IllegalArgumentException("shares of " + held + " and " + mayHold);
        }
        if (refusals.size() >= MOST) {
            sweep(nowNanos);
        }
        Refused refused = new Refused(partition, replica);
        if (refusals.size() < MOST || refusals.containsKey(refused)) {
            refusals.put(refused, new Refusal(held, mayHold, nowNanos));
        }
    }

    /** Whether no replica has refused anything lately. */
    boolean isEmpty() {
        return refusals.isEmpty();
    }

    /** A refusal of reads of the partition by one of the replicas, not older than ten seconds; null if none has. */
    Refusal of(long partition, Iterable<InetAddressAndPort> replicas, long nowNanos) {
        for (InetAddressAndPort replica : replicas) {
            Refusal refusal = refusals.get(new Refused(partition, replica));
            if (refusal != null && nowNanos - refusal.atNanos <= KEPT_NANOS) {
                return refusal;
            }
        }
        return null;
    }

    /** Forgets old refusals; call it regularly. */
    void sweep(long nowNanos) {
        refusals.values().removeIf(refusal -> nowNanos - refusal.atNanos > KEPT_NANOS);
    }

    /** What was refused by whom: several replicas refuse a hot partition at once. */
    private static final class Refused {
        private final long partition;
        private final InetAddressAndPort replica;

        Refused(long partition, InetAddressAndPort replica) {
            this.partition = partition;
            this.replica = replica;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Refused
                    && ((Refused) other).partition == partition
                    && ((Refused) other).replica.equals(replica);
        }

        @Override
        public int hashCode() {
            return Long.hashCode(partition) * 31 + replica.hashCode();
        }
    }
}
