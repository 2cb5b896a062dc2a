// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import dev.isotherm.cassandra.runtime.UnreadableValues;
import dev.isotherm.cassandra.wire.CustomParams;
import dev.isotherm.cassandra.wire.WireHandlers;
import dev.isotherm.share.FairShare;
import dev.isotherm.share.ToldPart;
import dev.isotherm.share.WatchedPartition;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.cassandra.exceptions.RequestFailureException;
import org.apache.cassandra.exceptions.RequestFailureReason;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.MessagingService;
import org.apache.cassandra.net.Verb;

/**
 * What saturated replicas have refused lately, as their answers say: by it this coordinator knows why a request failed,
 * and which part of the next ones these replicas admit.
 *
 * <p>Wire form of an answer's value, big-endian: the id of the partition (8 bytes), the part of the threads' time that
 * it held (4, a float) and the part that it may hold (4, a float). Of a second value: the part of its operations that
 * the replica admits (4, a float). Of the answer to a write, which no replica refuses: the former, and then the latter.
 */
final class ShareRefusals {
    private static final String REFUSED = "isotherm.share_refused";
    /** The admitted part, apart from the refusal: a node of an earlier build would not take a longer value for one. */
    private static final String ADMITTED = "isotherm.share_admitted";

    /** The parameter of the answer to a write: the part of the partition's writes that the replica would admit. */
    static final String WOULD_REFUSE = "isotherm.share_would_refuse";

    private static final int BYTES = 8 + 4 + 4;
    private static final int MOST = 8192;
    /** The least part that is believed to be admitted: no node admits nothing. */
    private static final double LEAST_ADMITTED = 1.0 / FairShare.MOST_WEIGHT;

    private static final long KEPT_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** A replica's refusal of operations on a partition. */
    static final class Refusal {
        final double held;
        final double mayHold;
        /** The part of the partition's operations that the replica admits; 1 if it has not told. */
        final double admitted;

        final long atNanos;

        private Refusal(double held, double mayHold, double admitted, long atNanos) {
            this.held = held;
            this.mayHold = mayHold;
            this.admitted = admitted;
            this.atNanos = atNanos;
        }

        private static Refusal later(Refusal one, Refusal other) {
            return one.atNanos - other.atNanos > 0 ? one : other;
        }

        /** Whether less than all is still believed to be admitted. */
        private boolean isBelieved(long nowNanos) {
            return ToldPart.believed(admitted, nowNanos - atNanos) < 1;
        }
    }

    private static final Refusal NOT_REFUSED = new Refusal(0, 0, 1, 0);

    private final Map<Refused, Refusal> refusals = new ConcurrentHashMap<>();
    /** The partitions of which a replica has told that it admits a part. */
    private final Set<Long> partlyAdmitted = ConcurrentHashMap.newKeySet();
    /** The messages under way of which it must be known whether they themselves were refused. */
    private final Map<Long, Refusal> awaited = new ConcurrentHashMap<>();

    /** Receives what other replicas have refused. */
    void install(WireHandlers handlers, UnreadableValues unreadable) {
        handlers.receive(
                List.of(Verb.FAILURE_RSP),
                REFUSED,
                "A refused operation fails without its reason",
                (response, value) -> {
                    try {
                        byte[] admitted = CustomParams.of(response, ADMITTED);
                        received(response.from(), response.id(), value, admitted, System.nanoTime());
                    } catch (IllegalArgumentException e) {
                        unreadable.ignore(
                                "What a replica told of its refusal was malformed and is ignored", response.from(), e);
                    }
                    return true;
                });
        handlers.receive(
                List.of(Verb.MUTATION_RSP),
                WOULD_REFUSE,
                "What a replica would refuse of a partition's writes is not known",
                (response, value) -> {
                    try {
                        told(response.from(), value, System.nanoTime());
                    } catch (IllegalArgumentException e) {
                        unreadable.ignore(
                                "What a replica told of writes was malformed and is ignored", response.from(), e);
                    }
                    return true;
                });
    }

    /** What the answer to a write on a partition that is cut says of it. */
    static byte[] wouldRefuse(WatchedPartition cut) {
        return wouldRefuse(cut.partition(), cut.held(), cut.mayHold(), cut.admittedPart());
    }

    static byte[] wouldRefuse(long partition, double held, double mayHold, double admitted) {
        return ByteBuffer.allocate(BYTES + Float.BYTES)
                .put(encode(partition, held, mayHold))
                .put(encode(admitted))
                .array();
    }

    /** Answers another coordinator's message with a refusal. */
    static void answer(Message<?> message, WatchedPartition refusing) {
        byte[] refused = encode(refusing.partition(), refusing.held(), refusing.mayHold());
        Message<?> response = message.failureResponse(RequestFailureReason.UNKNOWN);
        byte[] admitted = encode(refusing.admittedPart());
        MessagingService.instance()
                .send(
                        CustomParams.with(CustomParams.with(response, REFUSED, refused), ADMITTED, admitted),
                        message.respondTo());
    }

    /**
     * Why a request on the partition failed, if replicas have refused it since it began; null otherwise, as where one
     * of the replicas that failed tells a reason of its own, of which the client is to learn.
     *
     * @param sinceNanos when it began, on System.nanoTime()
     */
    Refusal reasonOf(RequestFailureException failure, long partition, long sinceNanos) {
        return CassandrasReasons.areToldBy(failure)
                ? null
                : of(partition, failure.failureReasonByEndpoint.keySet(), sinceNanos);
    }

    static byte[] encode(long partition, double held, double mayHold) {
        return ByteBuffer.allocate(BYTES)
                .putLong(partition)
                .putFloat((float) held)
                .putFloat((float) mayHold)
                .array();
    }

    static byte[] encode(double admitted) {
        return ByteBuffer.allocate(Float.BYTES).putFloat((float) admitted).array();
    }

    /** A message leaves of which it must be known whether it itself is refused; {@link #forget} must follow. */
    void await(long message) {
        awaited.put(message, NOT_REFUSED);
    }

    /** The refusal of a message that is awaited; null if there is none. */
    Refusal ofAwaited(long message) {
        Refusal refusal = awaited.get(message);
        return refusal == NOT_REFUSED ? null : refusal;
    }

    /** The message is awaited no longer. */
    void forget(long message) {
        awaited.remove(message);
    }

    /**
     * Takes in a replica's answer.
     *
     * @param message the number of the message that it answers
     * @param admitted which part the replica admits; null if it tells nothing of it
     * @throws IllegalArgumentException when the bytes are not a refusal, or no part
     */
    void received(InetAddressAndPort replica, long message, byte[] value, byte[] admitted, long nowNanos) {
        checkLength(value, BYTES);
        Refusal refusal = refusal(value, admitted == null ? 1 : partOf(admitted), nowNanos);
        awaited.replace(message, refusal);
        keep(replica, value, refusal);
    }

    /**
     * Takes in what a replica would refuse of a partition's writes.
     *
     * @throws IllegalArgumentException as {@link #received}
     */
    void told(InetAddressAndPort replica, byte[] value, long nowNanos) {
        checkLength(value, BYTES + Float.BYTES);
        double admitted = partOf(Arrays.copyOfRange(value, BYTES, value.length));
        keep(replica, value, refusal(value, admitted, nowNanos));
    }

    private static void checkLength(byte[] value, int bytes) {
        if (value.length != bytes) {
            throw new IllegalArgumentException(value.length + " bytes, not " + bytes);
        }
    }

    private static Refusal refusal(byte[] value, double admitted, long nowNanos) {
        ByteBuffer in = ByteBuffer.wrap(value, Long.BYTES, BYTES - Long.BYTES);
        double held = in.getFloat();
        double mayHold = in.getFloat();
        if (!(held >= 0 && held <= 1 && mayHold >= 0 && mayHold <= 1)) {
            throw new IllegalArgumentException("shares of " + held + " and " + mayHold);
        }
        return new Refusal(held, mayHold, admitted, nowNanos);
    }

    private void keep(InetAddressAndPort replica, byte[] value, Refusal refusal) {
        long partition = ByteBuffer.wrap(value).getLong();
        // Where it is full the next sweep makes room: to sweep here, on a thread of messages, would cost a look at all
        // of them for each message that a peer sends.
        Refused refused = new Refused(partition, replica);
        if (refusals.size() < MOST || refusals.containsKey(refused)) {
            // Two threads may take in two answers the other way about than they came: the later one explains more.
            refusals.merge(refused, refusal, Refusal::later);
            if (refusal.admitted < 1) {
                partlyAdmitted.add(partition);
            }
        }
    }

    private static double partOf(byte[] admitted) {
        double part = admitted.length == Float.BYTES ? ByteBuffer.wrap(admitted).getFloat() : Double.NaN;
        if (!(part > 0 && part <= 1)) {
            throw new IllegalArgumentException("admits " + part + ", of " + admitted.length + " bytes");
        }
        return Math.max(LEAST_ADMITTED, part);
    }

    /** Whether a replica has told lately that it admits a part of the partition's operations. */
    boolean isPartlyAdmitted(long partition) {
        return !partlyAdmitted.isEmpty() && partlyAdmitted.contains(partition);
    }

    /**
     * Which part of the partition's operations is believed to be admitted by the replicas that admit most of it.
     *
     * @param replicas those that may be contacted
     * @param contacted how many of them must serve an operation
     */
    double admitted(long partition, List<InetAddressAndPort> replicas, int contacted, long nowNanos) {
        double[] parts = new double[replicas.size()];
        for (int i = 0; i < parts.length; i++) {
            Refusal told = refusals.get(new Refused(partition, replicas.get(i)));
            parts[i] = told == null ? 1 : ToldPart.believed(told.admitted, nowNanos - told.atNanos);
        }
        return ToldPart.ofBest(parts, contacted);
    }

    /** What one of the replicas has refused last; null if none has refused anything lately. */
    Refusal last(long partition, List<InetAddressAndPort> replicas) {
        Refusal last = null;
        for (InetAddressAndPort replica : replicas) {
            Refusal refusal = refusals.get(new Refused(partition, replica));
            last = refusal == null || last != null && last.atNanos - refusal.atNanos > 0 ? last : refusal;
        }
        return last;
    }

    /** Whether no replica has refused anything lately. */
    boolean isEmpty() {
        return refusals.isEmpty();
    }

    /** A refusal for the partition by one of the replicas, if each of them has refused since then; null otherwise. */
    Refusal of(long partition, Iterable<InetAddressAndPort> replicas, long sinceNanos) {
        Refusal last = null;
        for (InetAddressAndPort replica : replicas) {
            last = refusals.get(new Refused(partition, replica));
            if (last == null || last.atNanos - sinceNanos < 0) {
                return null;
            }
        }
        return last;
    }

    /** Forgets old refusals; call it regularly. */
    void sweep(long nowNanos) {
        refusals.values().removeIf(refusal -> nowNanos - refusal.atNanos > KEPT_NANOS);
        // One that is told of meanwhile is told of again.
        partlyAdmitted.retainAll(refusals.entrySet().stream()
                .filter(told -> told.getValue().isBelieved(nowNanos))
                .map(told -> told.getKey().partition)
                .collect(Collectors.toSet()));
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
