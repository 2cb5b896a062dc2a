// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.locator.InetAddressAndPort;

/**
 * Writes that replicas decide about and of which not all have answered, by the message that asked them.
 *
 * <p>One rejection can be all that Cassandra waits for: whether another replica applied the write then shows only after
 * its client has been told.
 */
final class AwaitedAnswers {
    /** Longer than any write is answered. */
    private static final long FORGOTTEN_AFTER_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final Map<Long, DelegatedRequest> byMessage = new ConcurrentHashMap<>();

    /** The message goes out to a replica. */
    void sent(long message, DelegatedRequest request) {
        byMessage.put(message, request);
    }

    /** A replica has rejected the write of this message after its client has been told. */
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

    /** The write's client has been told. */
    void ended(DelegatedRequest request) {
        forgetUnlessAwaited(request);
    }

    private void forgetUnlessAwaited(DelegatedRequest request) {
        if (!request.awaitsAnswers()) {
            request.messages().forEach(byMessage::remove);
        }
    }

    /** Forgets those that will not be answered any more. */
    void sweep() {
        long now = System.nanoTime();
        byMessage.values().removeIf(request -> now - request.beganNanos() > FORGOTTEN_AFTER_NANOS);
    }
}
