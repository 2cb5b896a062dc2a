// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import dev.isotherm.cassandra.runtime.Failures;
import dev.isotherm.cassandra.runtime.UnreadableValues;
import dev.isotherm.cassandra.wire.OwnMessages;
import dev.isotherm.cassandra.wire.WireHandlers;
import dev.isotherm.common.MalformedReportException;
import dev.isotherm.limit.AdmissionLedger;
import dev.isotherm.limit.AdmissionReport;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.gms.FailureDetector;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.Replica;

/**
 * Reports this node's admissions on busy partitions to their other replicas, and receives the same reports from them.
 *
 * <p>One message per replica every 50 ms while there are unreported operations, and at once when they are many. To a
 * replica whose gossip stage would have to serve it, at most one every 20 ms; to one without the plugin none.
 */
final class AdmissionSharing {
    private static final String ADMITTED = "isotherm.admitted";
    private static final long INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    /** The interval while nothing has a limit, or limits are off. */
    private static final long REST_INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
    /** The least time between two messages to the same replica, even if urgent. */
    private static final long LEAST_INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final BooleanSupplier limited;
    private final AdmissionLedger<LimitedTable, Token> ledger;
    private final ReplicaLookup replicas;
    private final OwnMessages messages;
    private final UnreadableValues unreadable;
    private final Failures failures;
    private final LongAdder told = new LongAdder();
    private final Thread thread;
    /** What is reported next, by replica. Used by the thread alone, as is the pace. */
    private final Map<InetAddressAndPort, AdmissionReport.Builder> reports = new HashMap<>();

    private final PingPace pace = new PingPace();
    private volatile boolean urgent;

    /** @param limited whether anything has a limit that is enforced here */
    AdmissionSharing(
            BooleanSupplier limited,
            AdmissionLedger<LimitedTable, Token> ledger,
            ReplicaLookup replicas,
            OwnMessages messages,
            UnreadableValues unreadable,
            Failures failures) {
        this.limited = limited;
        this.ledger = ledger;
        this.replicas = replicas;
        this.messages = messages;
        this.unreadable = unreadable;
        this.failures = failures;
        this.thread = new Thread(this::run, "Isotherm-Admissions");
        thread.setDaemon(true);
    }

    /** Starts to send reports. */
    void start() {
        thread.start();
    }

    /** Reports the unreported operations at once. */
    void tellNow() {
        if (!urgent) {
            urgent = true;
            LockSupport.unpark(thread);
        }
    }

    private void run() {
        while (true) {
            try {
                long next = System.nanoTime()
                        + (limited.getAsBoolean() || !reports.isEmpty() ? INTERVAL_NANOS : REST_INTERVAL_NANOS);
                while (!urgent && System.nanoTime() - next < 0) {
                    LockSupport.parkNanos(this, next - System.nanoTime());
                }
                urgent = false;
                if (tell()) {
                    pause();
                }
            } catch (Throwable t) {
                // Without this thread the replicas would not report to each other any more.
                failures.recordIfPossible("What was admitted is not told to the other replicas", t);
                LockSupport.parkNanos(this, INTERVAL_NANOS);
            }
        }
    }

    /** Waits the least interval, even if the thread is woken meanwhile. */
    private void pause() {
        long until = System.nanoTime() + LEAST_INTERVAL_NANOS;
        for (long left = LEAST_INTERVAL_NANOS; left > 0; left = until - System.nanoTime()) {
            LockSupport.parkNanos(this, left);
        }
    }

    /** Whether there was anything to tell. */
    private boolean tell() {
        int drained = ledger.drain((partition, limit, operations, table, token) -> {
            for (Replica replica : replicas.natural(table, token)) {
                InetAddressAndPort node = replica.endpoint();
                if (!replicas.isSelf(replica)
                        && FailureDetector.instance.isAlive(node)
                        && messages.mayUnderstand(node)) {
                    add(node, partition, limit, operations);
                }
            }
        });
        if (reports.isEmpty()) {
            return drained > 0;
        }
        long now = System.nanoTime();
        Iterator<Map.Entry<InetAddressAndPort, AdmissionReport.Builder>> due =
                reports.entrySet().iterator();
        while (due.hasNext()) {
            Map.Entry<InetAddressAndPort, AdmissionReport.Builder> report = due.next();
            if (!messages.arePings(report.getKey()) || pace.begins(report.getKey(), now)) {
                due.remove();
                send(report.getKey(), report.getValue());
            }
        }
        return true;
    }

    private void add(InetAddressAndPort replica, long partition, int limit, double operations) {
        AdmissionReport.Builder report = reports.computeIfAbsent(replica, r -> new AdmissionReport.Builder());
        if (report.size() == AdmissionReport.MOST_SENT) {
            AdmissionReport.Builder full = report;
            report = new AdmissionReport.Builder();
            reports.put(replica, report);
            send(replica, full);
        }
        report.add(partition, limit, operations);
    }

    private void send(InetAddressAndPort replica, AdmissionReport.Builder report) {
        messages.tell(replica, ADMITTED, report.encode());
        told.increment();
    }

    /** Accounts the reports of other replicas. */
    void install(WireHandlers handlers, LocalDecisions decisions) {
        handlers.hear(ADMITTED, "What a replica told of its admissions is not accounted", (message, report) -> {
            try {
                AdmissionReport.decode(report, decisions::account);
            } catch (MalformedReportException e) {
                unreadable.ignore(
                        "What a replica told of its admissions was malformed and is ignored", message.from(), e);
            }
        });
    }

    /** Messages sent since the node started. */
    long told() {
        return told.sum();
    }
}
