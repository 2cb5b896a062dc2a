// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.guard;

import dev.isotherm.cassandra.config.DurationText;
import dev.isotherm.cassandra.runtime.Failures;
import dev.isotherm.cassandra.runtime.RuntimeSetting;
import dev.isotherm.cassandra.runtime.UnreadableValues;
import dev.isotherm.cassandra.version.CassandraVersion;
import dev.isotherm.cassandra.wire.GossipState;
import dev.isotherm.cassandra.wire.WireHandlers;
import dev.isotherm.guard.ReadGuard;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.utils.Clock;

/**
 * The operator's hand: this node asks all coordinators, by gossip, not to read from it until an instant. A node that
 * restarts is back in reads.
 */
/*
 * The instant travels as milliseconds of the wall clock, because gossip passes a value on long after it was published.
 * Clocks that differ make the end early or late by as much; an instant further off than the longest time is cut to it.
 */
final class OutOfReads implements GossipState.Listener {
    static final String NAME = "guard.out_of_reads";

    private static final String MARK = "isotherm.out:";
    private static final long LONGEST_NANOS = TimeUnit.HOURS.toNanos(24);

    private final ReadGuard<InetAddressAndPort> guard;
    private final InetAddressAndPort self;
    private final GossipState state;
    private final Consumer<InetAddressAndPort> forgotten;
    private final UnreadableValues unreadable = new UnreadableValues();
    private volatile long ownUntilMillis;

    /** @param forgotten receives nodes that restarted or left */
    OutOfReads(
            ReadGuard<InetAddressAndPort> guard,
            InetAddressAndPort self,
            CassandraVersion version,
            Consumer<InetAddressAndPort> forgotten,
            Failures failures) {
        this.guard = guard;
        this.self = self;
        this.forgotten = forgotten;
        this.state = new GossipState(version, version.outOfReadsState(), MARK, this, failures);
    }

    void install(WireHandlers handlers) {
        handlers.follow(state);
    }

    /** The setting that takes this node out of reads, and says for how long it still is. */
    RuntimeSetting setting() {
        return new RuntimeSetting(NAME, this::left, this::change);
    }

    private String left() {
        long millis = Math.max(0, ownUntilMillis - Clock.Global.currentTimeMillis());
        return TimeUnit.MILLISECONDS.toSeconds(millis + 999) + "s";
    }

    private void change(String value) {
        long nanos;
        try {
            nanos = DurationText.nanos(value);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(allowed(), e);
        }
        if (nanos > LONGEST_NANOS) {
            throw new IllegalArgumentException(allowed());
        }
        ownUntilMillis = Clock.Global.currentTimeMillis() + TimeUnit.NANOSECONDS.toMillis(nanos);
        take(self, ownUntilMillis);
        state.publish(ByteBuffer.allocate(Long.BYTES).putLong(ownUntilMillis).array());
    }

    private static String allowed() {
        return DurationText.FORM + ", at most 1440m; 0s puts the node back";
    }

    /** Values of other nodes that were no instant, since the node started. */
    long malformed() {
        return unreadable.count();
    }

    @Override
    public void told(InetAddressAndPort node, byte[] value) {
        if (value.length != Long.BYTES) {
            throw new IllegalArgumentException(value.length + " bytes are no instant");
        }
        take(node, ByteBuffer.wrap(value).getLong());
    }

    private void take(InetAddressAndPort node, long untilMillis) {
        long nowMillis = Clock.Global.currentTimeMillis();
        if (untilMillis <= nowMillis) {
            guard.putBack(node);
            return;
        }
        long nanos = Math.min(LONGEST_NANOS, TimeUnit.MILLISECONDS.toNanos(untilMillis - nowMillis));
        guard.takeOut(node, System.nanoTime() + nanos);
    }

    @Override
    public void unreadable(InetAddressAndPort node, Exception cause) {
        unreadable.ignore("A gossiped request to be left out of reads could not be read and is ignored", node, cause);
    }

    @Override
    public void restarted(InetAddressAndPort node) {
        isOutNoMore(node);
        guard.restarted(node);
    }

    @Override
    public void removed(InetAddressAndPort node) {
        isOutNoMore(node);
        guard.forget(node);
    }

    private void isOutNoMore(InetAddressAndPort node) {
        guard.putBack(node);
        forgotten.accept(node);
    }
}
