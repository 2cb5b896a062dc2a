// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.cassandra.locator.InetAddressAndPort;

/**
 * The contacts that this coordinator wanted to send to each replica of a table, and those that it sent, over the last
 * seconds.
 */
final class ShareLedger {
    /** Contacts fade by this factor each second, so the shares cover about the last ten seconds. */
    private static final double KEPT_PER_SECOND = 0.9;

    private final Map<InetAddressAndPort, Entry> entries = new ConcurrentHashMap<>();

    void add(InetAddressAndPort replica, double wanted, double sent) {
        Entry entry = entries.computeIfAbsent(replica, r -> new Entry());
        synchronized (entry) {
            entry.wanted += wanted;
            entry.sent += sent;
        }
    }

    /** Applies the fading of one second. */
    void fade() {
        for (Entry entry : entries.values()) {
            synchronized (entry) {
                entry.wanted *= KEPT_PER_SECOND;
                entry.sent *= KEPT_PER_SECOND;
            }
        }
    }

    /** The share of this coordinator's contacts that the replica should get; NaN before any read. */
    double wantedShareOf(InetAddressAndPort replica) {
        return shareOf(replica, true);
    }

    /** The share of this coordinator's contacts that the replica got; NaN before any read. */
    double sentShareOf(InetAddressAndPort replica) {
        return shareOf(replica, false);
    }

    private double shareOf(InetAddressAndPort replica, boolean wanted) {
        double total = 0;
        double own = 0;
        for (Map.Entry<InetAddressAndPort, Entry> each : entries.entrySet()) {
            Entry entry = each.getValue();
            double value;
            synchronized (entry) {
                value = wanted ? entry.wanted : entry.sent;
            }
            total += value;
            if (each.getKey().equals(replica)) {
                own = value;
            }
        }
        return total < 1e-6 ? Double.NaN : own / total;
    }

    private static final class Entry {
        double wanted;
        double sent;
    }
}
