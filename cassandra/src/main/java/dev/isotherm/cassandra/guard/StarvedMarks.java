// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.guard;

import dev.isotherm.cassandra.runtime.RuntimeSwitch;
import dev.isotherm.cassandra.runtime.UnreadableValues;
import dev.isotherm.cassandra.wire.NodePace;
import dev.isotherm.cassandra.wire.Rider;
import dev.isotherm.cassandra.wire.WireHandlers;
import dev.isotherm.common.MalformedReportException;
import dev.isotherm.guard.ReadGuard;
import dev.isotherm.guard.StarvedMark;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.Verb;

/**
 * While this node's process hardly runs, one of its answers to reads in a second tells each coordinator so: a message
 * that gets a value costs processor time.
 */
final class StarvedMarks implements Rider {
    static final String PARAM = "isotherm.starved";

    private static final List<Verb> ANSWERS = List.of(Verb.READ_RSP);
    /** The guard believes a mark for five times as long. */
    private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final RuntimeSwitch enabled;
    private final ReadGuard<InetAddressAndPort> guard;
    private final LongSupplier nanoClock;
    private final byte[] mark = StarvedMark.encode();
    private final NodePace pace = new NodePace(INTERVAL_NANOS);
    private final UnreadableValues unreadable = new UnreadableValues();

    StarvedMarks(RuntimeSwitch enabled, ReadGuard<InetAddressAndPort> guard, LongSupplier nanoClock) {
        this.enabled = enabled;
        this.guard = guard;
        this.nanoClock = nanoClock;
    }

    void install(WireHandlers handlers) {
        handlers.ride(ANSWERS, PARAM, "A read response does not say that this node hardly runs", this);
        handlers.receive(ANSWERS, PARAM, "What a read response says of its node is ignored", (response, value) -> {
            told(response.from(), value);
            return true;
        });
    }

    /** The mark, if this node hardly runs and the coordinator has not heard of it within the last second. */
    @Override
    public byte[] valueFor(Message<?> answer, InetAddressAndPort to) {
        return guard.isStarved() && enabled.isOn() && pace.isDue(to, nanoClock.getAsLong()) ? mark : null;
    }

    /** Takes what a node says on an answer; what is no mark is dropped and counted. */
    void told(InetAddressAndPort node, byte[] value) {
        try {
            StarvedMark.check(value);
        } catch (MalformedReportException e) {
            unreadable.ignore("What a read response says of its node could not be read and is ignored", node, e);
            return;
        }
        guard.saysStarved(node, nanoClock.getAsLong());
    }

    /** Values of other nodes that were no marks, since the node started. */
    long malformed() {
        return unreadable.count();
    }

    /** Forgets a node that restarted or left the cluster. */
    void forget(InetAddressAndPort node) {
        pace.removed(node);
    }

    /** The number of remembered nodes. */
    int remembered() {
        return pace.remembered();
    }
}
