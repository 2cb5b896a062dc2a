// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.cassandra.locator.InetAddressAndPort;

/**
 * The writes about which replicas decide and which not all replicas have answered, by the message sent to the replica.
 *
 * <p>Cassandra may wait for one response only. If that one is a rejection, it is known only after the client's answer
 * whether another replica applied the write.
 */
final class AwaitedAnswers {
    /** Some tens of MiB. Of writes beyond it nobody knows whether they were partly applied. */
    private static final int MOST = 100_000;

    private final Map<Long, WriteAnswers> byMessage = new ConcurrentHashMap<>();

    /** The message is sent to a replica. */
    void sent(long message, WriteAnswers answers) {
        if (byMessage.size() < MOST) {
            answers.sent(message);
            byMessage.put(message, answers);
        }
    }

    /** A replica has rejected the write of this message after the client's answer. */
    void rejectedLate(long message, InetAddressAndPort replica) {
        WriteAnswers answers = byMessage.get(message);
        if (answers != null) {
            answers.rejected(replica);
            forgetUnlessAwaited(answers);
        }
    }

    /** A replica has applied the write of this message. */
    void applied(long message) {
        WriteAnswers answers = byMessage.isEmpty() ? null : byMessage.get(message);
        if (answers != null) {
            answers.applied();
            forgetUnlessAwaited(answers);
        }
    }

    /** The write's client has got its answer. */
    void ended(WriteAnswers answers) {
        forgetUnlessAwaited(answers);
    }

    private void forgetUnlessAwaited(WriteAnswers answers) {
        if (!answers.areAwaited()) {
            answers.messages().forEach(byMessage::remove);
        }
    }

    /**
     * Forgets the writes that will get no more answers.
     *
     * @param timeoutNanos how long a write waits for an answer; a replica may begin it at the last moment
     */
    void sweep(long nowNanos, long timeoutNanos) {
        byMessage.values().removeIf(answers -> nowNanos - answers.beganNanos() > 2 * timeoutNanos);
    }

    int size() {
        return byMessage.size();
    }
}
