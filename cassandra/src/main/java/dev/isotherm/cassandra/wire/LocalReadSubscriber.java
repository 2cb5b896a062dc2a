// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.wire;

import dev.isotherm.cassandra.runtime.Failures;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.LatencySubscribers;

/**
 * The reads that a node serves for itself, of which no message tells: each is heard of at its end and on its thread.
 *
 * <p>Cassandra tells of them where it also tells of peers' answers, before it hands these on: what throws here would
 * keep an answer from its request.
 */
final class LocalReadSubscriber implements LatencySubscribers.Subscriber {
    private final InetAddressAndPort self;
    private final Failures failures;
    private final BooleanSupplier idle;
    private final List<Watcher> watchers;

    /**
     * @param idle while it says so, nobody is told
     * @param watchers may grow
     */
    LocalReadSubscriber(InetAddressAndPort self, Failures failures, BooleanSupplier idle, List<Watcher> watchers) {
        this.self = self;
        this.failures = failures;
        this.idle = idle;
        this.watchers = watchers;
    }

    @Override
    public void receiveTiming(InetAddressAndPort node, long latency, TimeUnit unit) {
        // Nearly always this very object, or another node.
        if (idle.getAsBoolean() || node != self && !self.equals(node)) {
            return;
        }
        long nanos = unit.toNanos(latency);
        for (Watcher watcher : watchers) {
            try {
                watcher.ended.accept(nanos);
            } catch (RuntimeException | LinkageError | AssertionError e) {
                failures.record(watcher.whenItFails, e);
            }
        }
    }

    /** Who is told. */
    static final class Watcher {
        final String whenItFails;
        final LongConsumer ended;

        Watcher(String whenItFails, LongConsumer ended) {
            this.whenItFails = whenItFails;
            this.ended = ended;
        }
    }
}
