// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import java.util.ArrayList;
import java.util.List;
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

    /** Seconds without a draw after which shares are shown no more: reads are not drawn, or there are none. */
    static final int SHOWN_SECONDS = 20;

    /** Fewer contacts have faded away. */
    static final double LEAST_CONTACTS = 1e-6;

    private final Map<InetAddressAndPort, Contacts> entries = new ConcurrentHashMap<>();
    private volatile int secondsWithoutDraw;

    void add(InetAddressAndPort replica, double wanted, double sent) {
        Contacts entry = entries.computeIfAbsent(replica, r -> new Contacts());
        synchronized (entry) {
            entry.wanted += wanted;
            entry.sent += sent;
        }
        if (wanted > 0 || sent > 0) {
            secondsWithoutDraw = 0;
        }
    }

    /**
     * Applies the fading of one second, and forgets replicas that have got nothing for minutes, as those that left, and
     * all once none was drawn for a while. For one thread at a time.
     */
    void fade() {
        if (++secondsWithoutDraw > SHOWN_SECONDS) {
            entries.clear();
        }
        entries.values().removeIf(entry -> {
            synchronized (entry) {
                entry.wanted *= KEPT_PER_SECOND;
                entry.sent *= KEPT_PER_SECOND;
                return entry.wanted + entry.sent < LEAST_CONTACTS;
            }
        });
    }

    /** The replicas of which something is known. */
    int replicas() {
        return entries.size();
    }

    /** The share of this coordinator's contacts that the replica should get; NaN where none was drawn lately. */
    double wantedShareOf(InetAddressAndPort replica) {
        return shareOf(replica, true);
    }

    /** The share of this coordinator's contacts that the replica got; NaN where none was drawn lately. */
    double sentShareOf(InetAddressAndPort replica) {
        return shareOf(replica, false);
    }

    /** Adds the contacts of each replica, faded; none where none was drawn lately. */
    void addTo(Map<InetAddressAndPort, Contacts> sums) {
        entries.forEach((replica, entry) -> {
            Contacts copy = entry.copy();
            Contacts sum = sums.computeIfAbsent(replica, r -> new Contacts());
            sum.wanted += copy.wanted;
            sum.sent += copy.sent;
        });
    }

    /**
     * The largest difference between a replica's wanted share and the share that it got; NaN where none was drawn
     * lately.
     */
    double mostDifference() {
        List<Contacts> seen = new ArrayList<>();
        double wanted = 0;
        double sent = 0;
        for (Contacts entry : entries.values()) {
            Contacts copy = entry.copy();
            wanted += copy.wanted;
            sent += copy.sent;
            seen.add(copy);
        }
        if (wanted < LEAST_CONTACTS || sent < LEAST_CONTACTS) {
            return Double.NaN;
        }
        double most = 0;
        for (Contacts entry : seen) {
            most = Math.max(most, Math.abs(entry.wanted / wanted - entry.sent / sent));
        }
        return most;
    }

    private double shareOf(InetAddressAndPort replica, boolean wanted) {
        double total = 0;
        double own = 0;
        for (Map.Entry<InetAddressAndPort, Contacts> each : entries.entrySet()) {
            Contacts entry = each.getValue();
            double value;
            synchronized (entry) {
                value = wanted ? entry.wanted : entry.sent;
            }
            total += value;
            if (each.getKey().equals(replica)) {
                own = value;
            }
        }
        return total < LEAST_CONTACTS ? Double.NaN : own / total;
    }

    /** Contacts of one replica, faded. */
    static final class Contacts {
        /** The contacts that it should have got. */
        double wanted;
        /** The contacts that it got. */
        double sent;

        synchronized Contacts copy() {
            Contacts copy = new Contacts();
            copy.wanted = wanted;
            copy.sent = sent;
            return copy;
        }
    }
}
