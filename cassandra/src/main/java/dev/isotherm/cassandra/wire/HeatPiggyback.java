// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.wire;

import dev.isotherm.cassandra.Failures;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.MessagingService;
import org.apache.cassandra.net.Verb;

/**
 * Heat reports on read responses: a custom header parameter, which nodes without the plugin ignore.
 *
 * <p>A report goes to each coordinator when it has changed, at most ten times a second, so that most responses carry
 * nothing.
 */
public final class HeatPiggyback {
    private static final String PARAM = "isotherm.heat";
    private static final long MIN_INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final HeatIntake intake;
    private final LongSupplier nanoClock;
    private final Failures failures;
    private final Map<InetAddressAndPort, Sent> sentTo = new ConcurrentHashMap<>();
    private volatile byte[] report;

    public HeatPiggyback(HeatIntake intake, LongSupplier nanoClock, Failures failures) {
        this.intake = intake;
        this.nanoClock = nanoClock;
        this.failures = failures;
    }

    /** Sets the report that read responses carry from now on; the array must not change any more. */
    public void carry(byte[] report) {
        this.report = report;
    }

    /** The outbound predicate: replaces a read response by one that carries the report, where one is due. */
    public boolean onOutbound(Message<?> message, InetAddressAndPort to) {
        if (message.verb() != Verb.READ_RSP) {
            return true;
        }
        byte[] due = report;
        if (due == null || !isDue(due, to)) {
            return true;
        }
        Message<?> carrying;
        try {
            carrying = CustomParams.with(message, PARAM, due);
        } catch (RuntimeException e) {
            failures.record("A read response goes out without a heat report", e);
            return true;
        }
        // Comes back to this predicate, finds nothing due so soon, and passes.
        MessagingService.instance().send(carrying, to);
        return false;
    }

    private boolean isDue(byte[] due, InetAddressAndPort to) {
        Sent sent = sentTo.computeIfAbsent(to, t -> new Sent());
        long now = nanoClock.getAsLong();
        if (sent.report == due || (sent.report != null && now - sent.atNanos < MIN_INTERVAL_NANOS)) {
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

    /** The inbound predicate: takes the report off a read response; always lets the message pass. */
    public boolean onInbound(Message<?> message) {
        if (message.verb() == Verb.READ_RSP) {
            try {
                byte[] carried = CustomParams.of(message, PARAM);
                if (carried != null) {
                    intake.accept(message.from(), carried);
                }
            } catch (RuntimeException e) {
                failures.record("The heat report on a read response is ignored", e);
            }
        }
        return true;
    }

    /** Forgets a node that left. */
    public void removed(InetAddressAndPort node) {
        sentTo.remove(node);
    }

    private static final class Sent {
        volatile byte[] report;
        volatile long atNanos;
    }
}
