// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.wire;

import dev.isotherm.cassandra.Failures;
import dev.isotherm.cassandra.limit.LimitsInForce;
import dev.isotherm.cassandra.limit.LocalDecisions;
import dev.isotherm.cassandra.limit.Outcome;
import dev.isotherm.cassandra.limit.Rejection;
import dev.isotherm.cassandra.limit.TouchedPartition;
import dev.isotherm.cassandra.limit.TravellingRequest;
import dev.isotherm.limit.Operation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
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
 * Lets replicas decide about the requests of coordinators that are none: the random number goes out with the request, and
 * a rejection comes back as a failure with a mark.
 *
 * <p>A replica without the plugin serves the request; a replica that cannot read the parameter does, too.
 */
public final class TravellingAdmission {
    private static final String DECIDE = "isotherm.decide";
    /** With the request and the partition that is over its limit, eight bytes each. */
    private static final String REJECTED = "isotherm.rejected";

    private static final int REJECTED_BYTES = 2 * Long.BYTES;

    private final LimitsInForce limits;
    private final LocalDecisions decisions;
    private final Failures failures;
    private final AtomicLong lastId = new AtomicLong();
    private final Map<Long, TravellingRequest> underWay = new ConcurrentHashMap<>();
    private final AwaitedAnswers awaited = new AwaitedAnswers();

    public TravellingAdmission(LimitsInForce limits, LocalDecisions decisions, Failures failures) {
        this.limits = limits;
        this.decisions = decisions;
        this.failures = failures;
    }

    /** Begins a request on the present thread; {@link #end} must follow. */
    public TravellingRequest begin(
            List<TouchedPartition> touched,
            List<TouchedPartition> elsewhere,
            int random,
            double operations,
            Dispatcher.RequestTime time) {
        TravellingRequest request =
                new TravellingRequest(lastId.incrementAndGet(), random, touched, elsewhere, operations, time);
        underWay.put(request.id(), request);
        request.begin();
        return request;
    }

    /** Ends a request; the rejections of writes that succeeded all the same. */
    public List<Rejection> end(TravellingRequest request, Outcome outcome) {
        TravellingRequest.leave();
        List<Rejection> owed = request.end(outcome);
        underWay.remove(request.id());
        awaited.ended(request);
        return owed;
    }

    /** To be called now and then. */
    public void sweep() {
        awaited.sweep();
    }

    /** The outbound predicate: lets the number travel with the first message to each replica. */
    public boolean onOutbound(Message<?> message, InetAddressAndPort to) {
        if (message.verb() != Verb.READ_REQ
                && message.verb() != Verb.MUTATION_REQ
                && message.verb() != Verb.COUNTER_MUTATION_REQ) {
            return true;
        }
        TravellingRequest request = TravellingRequest.current();
        if (request == null) {
            return true;
        }
        Message<?> carrying;
        try {
            List<TouchedPartition> asked = asked(request, message, to);
            if (asked.isEmpty()) {
                return true;
            }
            carrying = CustomParams.with(
                    message,
                    DECIDE,
                    AdmissionParam.encode(request.id(), request.random(), request.operations(), asked));
        } catch (RuntimeException | LinkageError e) {
            failures.record("A replica is not asked to decide", e);
            return true;
        }
        // Comes back to this predicate, is no first contact any more, and passes.
        MessagingService.instance().send(carrying, to);
        return false;
    }

    private List<TouchedPartition> asked(TravellingRequest request, Message<?> message, InetAddressAndPort to) {
        Object payload = message.payload;
        if (payload instanceof SinglePartitionReadCommand) {
            SinglePartitionReadCommand read = (SinglePartitionReadCommand) payload;
            return request.firstContact(
                    read.partitionKey().getToken(), List.of(read.metadata().id), Operation.READ, to);
        }
        if (payload instanceof Mutation) {
            Mutation mutation = (Mutation) payload;
            request.sent(message.id(), mutation);
            awaited.sent(message.id(), request);
            return request.firstContact(mutation.key().getToken(), mutation.getTableIds(), Operation.WRITE, to);
        }
        if (payload instanceof CounterMutation) {
            CounterMutation counter = (CounterMutation) payload;
            return request.firstContact(counter.key().getToken(), counter.getTableIds(), Operation.WRITE, to);
        }
        return List.of();
    }

    /** The inbound predicate: decides about a request, or delivers a rejection. */
    public boolean onInbound(Message<?> message) {
        switch (message.verb()) {
            case READ_REQ:
            case MUTATION_REQ:
            case COUNTER_MUTATION_REQ:
                return isAdmitted(message);
            case FAILURE_RSP:
                return !isDelivered(message);
            case MUTATION_RSP:
                awaited.applied(message.id());
                return true;
            default:
                return true;
        }
    }

    private boolean isAdmitted(Message<?> message) {
        try {
            byte[] param = CustomParams.of(message, DECIDE);
            if (param == null) {
                return true;
            }
            AdmissionParam decide = AdmissionParam.decode(param, limits::get);
            // The leader of a counter update passes it on itself, and with it what there is to know.
            TouchedPartition refused = message.verb() == Verb.COUNTER_MUTATION_REQ
                    ? decisions.refused(decide.partitions, decide.random)
                    : decisions.refusedAmongOthers(decide.partitions, decide.operations, decide.random);
            if (refused == null) {
                return true;
            }
            Message<RequestFailureReason> rejection = message.failureResponse(RequestFailureReason.UNKNOWN);
            MessagingService.instance()
                    .send(
                            CustomParams.with(
                                    rejection,
                                    REJECTED,
                                    ByteBuffer.allocate(REJECTED_BYTES)
                                            .putLong(decide.request)
                                            .putLong(refused.id)
                                            .array()),
                            message.respondTo());
            return false;
        } catch (RuntimeException | LinkageError e) {
            failures.record("A request is admitted without a decision", e);
            return true;
        }
    }

    private static <T> void handle(Message<T> message) {
        try {
            message.verb().<T>handler().doVerb(message);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private boolean isDelivered(Message<?> message) {
        try {
            byte[] param = CustomParams.of(message, REJECTED);
            if (param == null || param.length != REJECTED_BYTES) {
                return false;
            }
            ByteBuffer rejected = ByteBuffer.wrap(param);
            TravellingRequest request = underWay.get(rejected.getLong());
            if (request == null) {
                awaited.rejectedLate(message.id(), message.from());
                return false;
            }
            request.rejected(rejected.getLong(), message.from(), message.id(), () -> handle(message));
            return true;
        } catch (RuntimeException | LinkageError e) {
            failures.record("A replica's rejection is taken for a failure", e);
            return false;
        }
    }
}
