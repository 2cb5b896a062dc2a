// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import dev.isotherm.cassandra.runtime.UnreadableValues;
import dev.isotherm.cassandra.wire.CustomParams;
import dev.isotherm.cassandra.wire.WireHandlers;
import dev.isotherm.limit.Operation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.CounterMutation;
import org.apache.cassandra.db.Mutation;
import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.apache.cassandra.exceptions.RequestFailureReason;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.MessagingService;
import org.apache.cassandra.net.Verb;
import org.apache.cassandra.transport.Dispatcher;

/**
 * Lets replicas decide about the requests of a coordinator that is not a replica: the random number is sent with the
 * request, and a rejection returns as a failure with a mark.
 *
 * <p>A replica without the plugin serves the request; so does a replica that cannot read the parameter.
 */
final class DelegatedAdmission {
    private static final String DECIDE = "isotherm.decide";
    /** Carries the ids of the request and of the partition that is over its limit, eight bytes each. */
    private static final String REJECTED = "isotherm.rejected";

    private static final List<Verb> REQUESTS = List.of(Verb.READ_REQ, Verb.MUTATION_REQ, Verb.COUNTER_MUTATION_REQ);
    private static final int REJECTED_BYTES = 2 * Long.BYTES;

    private final LimitsInForce limits;
    private final LocalDecisions decisions;
    private final UnreadableValues unreadable;
    private final AtomicLong lastId = new AtomicLong();
    private final Map<Long, DelegatedRequest> underWay = new ConcurrentHashMap<>();
    private final AwaitedAnswers awaited = new AwaitedAnswers();

    DelegatedAdmission(LimitsInForce limits, LocalDecisions decisions, UnreadableValues unreadable) {
        this.limits = limits;
        this.decisions = decisions;
        this.unreadable = unreadable;
    }

    /** Begins a request on the present thread; {@link #end} must follow. */
    DelegatedRequest begin(
            List<TouchedPartition> touched,
            List<TouchedPartition> elsewhere,
            Decided decidedHere,
            int random,
            double operations,
            Dispatcher.RequestTime time) {
        DelegatedRequest request = new DelegatedRequest(
                lastId.incrementAndGet(), random, touched, elsewhere, decidedHere, operations, time);
        underWay.put(request.id(), request);
        request.begin();
        return request;
    }

    /** Ends a request and returns the rejections of writes that succeeded nevertheless. */
    List<ReplicaRejection> end(DelegatedRequest request, Outcome outcome) {
        DelegatedRequest.leave();
        List<ReplicaRejection> owed = request.end(outcome);
        underWay.remove(request.id());
        awaited.ended(request.answers());
        return owed;
    }

    /** Forgets requests that get no more answers; called each second. */
    void sweep(long nowNanos) {
        awaited.sweep(nowNanos, DatabaseDescriptor.getWriteRpcTimeout(TimeUnit.NANOSECONDS));
    }

    /**
     * Adds the random number to the first message to each replica, decides for other coordinators, and receives the
     * replicas' rejections.
     */
    void install(WireHandlers handlers) {
        handlers.ride(REQUESTS, DECIDE, "A replica is not asked to decide", this::question);
        handlers.receive(
                REQUESTS,
                DECIDE,
                "A request is admitted without a decision",
                (request, param) -> isAdmitted(request, param));
        handlers.receive(
                List.of(Verb.FAILURE_RSP),
                REJECTED,
                "A replica's rejection is taken for a failure",
                (response, param) -> !isDelivered(response, param));
        handlers.receiveAll(Verb.MUTATION_RSP, "A write is not known to be applied", (response, none) -> {
            awaited.applied(response.id());
            return true;
        });
    }

    /** Whether it is the answer of a replica that has rejected the request, and has not served it. */
    static boolean isRejection(Message<?> answer) {
        return answer.verb() == Verb.FAILURE_RSP && CustomParams.of(answer, REJECTED) != null;
    }

    private byte[] question(Message<?> message, InetAddressAndPort to) {
        // No request of any thread: most nodes have no limits, and the thread's own is dearer to find.
        DelegatedRequest request = underWay.isEmpty() ? null : DelegatedRequest.current();
        if (request == null) {
            return null;
        }
        List<TouchedPartition> asked = asked(request, message, to);
        if (asked.isEmpty()) {
            return null;
        }
        byte[] question = AdmissionParam.encode(request.id(), request.random(), request.operations(asked), asked);
        // Tokens of ByteOrderedPartitioner are as long as keys.
        return question.length > AdmissionParam.MOST_BYTES ? null : question;
    }

    private List<TouchedPartition> asked(DelegatedRequest request, Message<?> message, InetAddressAndPort to) {
        if (message.forwardTo() != null) {
            // A replica that rejected it would not pass it on.
            return List.of();
        }
        Object payload = message.payload;
        if (payload instanceof SinglePartitionReadCommand) {
            SinglePartitionReadCommand read = (SinglePartitionReadCommand) payload;
            return request.firstContact(
                    read.partitionKey().getToken(), List.of(read.metadata().id), Operation.READ, to);
        }
        if (payload instanceof Mutation) {
            Mutation mutation = (Mutation) payload;
            request.sent(message.id(), mutation);
            awaited.sent(message.id(), request.answers());
            return request.firstContact(mutation.key().getToken(), mutation.getTableIds(), Operation.WRITE, to);
        }
        if (payload instanceof CounterMutation) {
            CounterMutation counter = (CounterMutation) payload;
            return request.firstContact(counter.key().getToken(), counter.getTableIds(), Operation.WRITE, to);
        }
        return List.of();
    }

    private boolean isAdmitted(Message<?> message, byte[] param) {
        AdmissionParam decide = AdmissionParam.read(
                message.from(),
                param,
                limits::get,
                unreadable,
                "A request is admitted, as what to decide about it was malformed");
        if (decide == null) {
            return true;
        }
        // Only the leader of a counter update decides: it replicates the update itself and reports the admission to the
        // others.
        TouchedPartition refused = message.verb() == Verb.COUNTER_MUTATION_REQ
                ? decisions.refused(decide.partitions, decide.random)
                : decisions.refusedAmongOthers(decide.partitions, decide.operations, decide.random);
        if (refused == null) {
            return true;
        }
        byte[] rejected = ByteBuffer.allocate(REJECTED_BYTES)
                .putLong(decide.request)
                .putLong(refused.id)
                .array();
        Message<?> response = message.failureResponse(RequestFailureReason.UNKNOWN);
        MessagingService.instance().send(CustomParams.with(response, REJECTED, rejected), message.respondTo());
        return false;
    }

    /** Whether a rejection of a request that is under way has been delivered; else Cassandra takes the answer. */
    boolean isDelivered(Message<?> message, byte[] param) {
        if (param.length != REJECTED_BYTES) {
            return false;
        }
        ByteBuffer rejected = ByteBuffer.wrap(param);
        DelegatedRequest request = underWay.get(rejected.getLong());
        if (request == null) {
            awaited.rejectedLate(message.id(), message.from());
            return false;
        }
        request.rejected(rejected.getLong(), message.from(), message.id(), () -> handle(message));
        return true;
    }

    private static <T> void handle(Message<T> message) {
        try {
            message.verb().<T>handler().doVerb(message);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
