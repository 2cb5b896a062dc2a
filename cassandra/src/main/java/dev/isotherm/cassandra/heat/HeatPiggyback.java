// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import dev.isotherm.cassandra.wire.Rider;
import dev.isotherm.heat.PublishingRule;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;

/**
 * Chooses the read responses that carry the heat report.
 *
 * <p>Each coordinator gets a changed report at most ten times a second, so that most responses carry no report.
 */
final class HeatPiggyback implements Rider {
    static final String PARAM = "isotherm.heat";

    private final LongSupplier nanoClock;
    private final Map<InetAddressAndPort, Sent> sentTo = new ConcurrentHashMap<>();
    private volatile byte[] report;

    HeatPiggyback(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    /** Sets the report that read responses carry from now on; the array must not be modified afterwards. */
    void carry(byte[] report) {
        this.report = report;
    }

    /** The report, if it is due to that node. */
    @Override
    public byte[] valueFor(Message<?> response, InetAddressAndPort to) {
        byte[] due = report;
        return due != null && isDue(due, to) ? due : null;
    }

    private boolean isDue(byte[] due, InetAddressAndPort to) {
        Sent sent = sentTo.get(to);
        if (sent == null) {
            sent = sentTo.computeIfAbsent(to, t -> new Sent());
        }
        byte[] last = sent.report;
        if (last == due) {
            return false;
        }
        long now = nanoClock.getAsLong();
        if (last != null && now - sent.atNanos < PublishingRule.LEAST_BETWEEN_CARRIED_NANOS) {
            return false;
        }
        synchronized (sent) {
            if (sent.report == due) {
                return false;
            }
            sent.atNanos = now;
            sent.report = due;
            return true;
        }
    }

    /** Forgets a node that left the cluster. */
    void removed(InetAddressAndPort node) {
        sentTo.remove(node);
    }

    /** The number of remembered nodes. */
    int remembered() {
        return sentTo.size();
    }

    private static final class Sent {
        volatile byte[] report;
        volatile long atNanos;
    }
}
