// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.locator.InetAddressAndPort;

/**
 * The writes about which replicas decide and which not all replicas have answered, by the message sent to the replica.
 *
 * <p>Cassandra may wait for one response only. If that one is a rejection, it is known only after the client's answer
 * whether another replica applied the write.
 */
final class AwaitedAnswers {
    /** Longer than any write waits for an answer. */
    private static final long FORGOTTEN_AFTER_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final Map<Long, DelegatedRequest> byMessage = new ConcurrentHashMap<>();

    /** The message is sent to a replica. */
    void sent(long message, DelegatedRequest request) {
        byMessage.put(message, request);
    }

    /** A replica has rejected the write of this message after the client's answer. */
    void rejectedLate(long message, InetAddressAndPort replica) {
        DelegatedRequest request = byMessage.get(message);
        if (request != null) {
            request.rejectedLate(replica);
            forgetUnlessAwaited(request);
        }
    }

    /** A replica has applied the write of this message. */
    void applied(long message) {
        DelegatedRequest request = byMessage.isEmpty() ? null : byMessage.get(message);
        if (request != null) {
            request.applied();
            forgetUnlessAwaited(request);
        }
    }

    /** The write's client has got its answer. */
    void ended(DelegatedRequest request) {
        forgetUnlessAwaited(request);
    }

    private void forgetUnlessAwaited(DelegatedRequest request) {
        if (!request.awaitsAnswers()) {
            request.messages().forEach(byMessage::remove);
        }
    }

    /** Forgets the writes that will get no more answers. */
    void sweep() {
        long now = System.nanoTime();
        byMessage.values().removeIf(request -> now - request.beganNanos() > FORGOTTEN_AFTER_NANOS);
    }
}
