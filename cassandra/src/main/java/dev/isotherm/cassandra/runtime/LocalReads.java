// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.runtime;

import java.util.function.LongConsumer;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.MessagingService;

/**
 * The reads that a node serves for itself, each heard of at its end and on its thread.
 *
 * <p>Cassandra tells of them where it also tells of peers' answers, before it hands these on: what throws here would
 * keep an answer from its request.
 */
public final class LocalReads {
    private LocalReads() {}

    /**
     * Calls a feature at the end of each read.
     *
     * @param whenItFails the effect of a call that throws, a constant sentence
     * @param ended is given the nanoseconds that the read took
     */
    public static void watch(InetAddressAndPort self, Failures failures, String whenItFails, LongConsumer ended) {
        MessagingService.instance().latencySubscribers.subscribe((node, latency, unit) -> {
            if (!self.equals(node)) {
                return;
            }
            try {
                ended.accept(unit.toNanos(latency));
            } catch (RuntimeException | LinkageError | AssertionError e) {
                failures.record(whenItFails, e);
            }
        });
    }
}
