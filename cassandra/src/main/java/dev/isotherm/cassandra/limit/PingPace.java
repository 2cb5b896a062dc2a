// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.locator.InetAddressAndPort;

/** How often a replica gets a report as a ping: at most once in 20 ms. Not thread safe. */
final class PingPace {
    static final long LEAST_INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final Map<InetAddressAndPort, Long> last = new HashMap<>();

    /** Whether the replica may get a ping now; if so, it counts as sent. */
    boolean begins(InetAddressAndPort replica, long nowNanos) {
        last.values().removeIf(at -> nowNanos - at >= LEAST_INTERVAL_NANOS);
        return last.putIfAbsent(replica, nowNanos) == null;
    }
}
