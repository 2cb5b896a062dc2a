// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.cassandra.locator.InetAddressAndPort;

/** The answers to one request's questions. The request's thread waits; Cassandra's threads bring the answers. */
final class AdmissionPoll {
    private final Consumer<AdmissionQuestion> takeBack;
    private final Set<AdmissionQuestion> outstanding;
    private final List<AdmissionQuestion> admitted = new ArrayList<>();
    private int unanswered;
    private TouchedPartition refused;
    /** The request has gone ahead: what comes now changes nothing. */
    private boolean over;

    /** @param takeBack asks the replica that admitted a question to refund the operations */
    AdmissionPoll(Collection<AdmissionQuestion> asked, Consumer<AdmissionQuestion> takeBack) {
        this.outstanding = new HashSet<>(asked);
        this.takeBack = takeBack;
    }

    /**
     * Takes a replica's answer. One that cannot be read is none.
     *
     * @param answer empty for admitted; for rejected the id of the partition, eight bytes; null from a replica that has
     *     no answer
     * @return whether it could be read
     */
    synchronized boolean answered(AdmissionQuestion question, byte[] answer) {
        outstanding.remove(question);
        boolean isAdmission = answer != null && answer.length == 0;
        TouchedPartition rejected = answer == null || isAdmission ? null : refusedOf(question.asked, answer);
        boolean isReadable = answer == null || isAdmission || rejected != null;
        if (over) {
            return isReadable;
        }
        if (isAdmission) {
            admitted.add(question);
        } else if (rejected == null) {
            unanswered++;
        } else if (refused == null) {
            refused = rejected;
        }
        if (refused != null) {
            // Also for an admission that arrives after the rejection.
            admitted.forEach(takeBack);
            admitted.clear();
        }
        notifyAll();
        return isReadable;
    }

    /** The partition that the answer names; null if it names none that was asked for. */
    private static TouchedPartition refusedOf(List<TouchedPartition> asked, byte[] answer) {
        for (TouchedPartition partition : asked) {
            if (answer.length == Long.BYTES
                    && partition.id == ByteBuffer.wrap(answer).getLong()) {
                return partition;
            }
        }
        return null;
    }

    /** Waits for the first rejection or for all answers; returns the partition that is rejected, null if none is. */
    synchronized TouchedPartition await(long patienceNanos) {
        long deadline = System.nanoTime() + patienceNanos;
        try {
            for (long left = patienceNanos;
                    !outstanding.isEmpty() && refused == null && left > 0;
                    left = deadline - System.nanoTime()) {
                TimeUnit.NANOSECONDS.timedWait(this, left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        over = refused == null;
        return refused;
    }

    /** The replicas for whose answer the request has waited in vain; empty if another one rejected it. */
    synchronized Set<InetAddressAndPort> missing() {
        return refused == null
                ? outstanding.stream().map(question -> question.replica).collect(Collectors.toSet())
                : Set.of();
    }

    /** The questions without an answer, also of replicas that cannot give one, as those without the plugin. */
    synchronized int unanswered() {
        return unanswered + (refused == null ? outstanding.size() : 0);
    }
}
