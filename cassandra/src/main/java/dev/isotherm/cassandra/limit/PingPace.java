// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.locator.InetAddressAndPort;

/** How often a replica gets a report as a ping: at most once in 20 ms. Not thread safe. */
final class PingPace {
    static final long LEAST_INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private static final long SWEPT_EACH_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Map<InetAddressAndPort, Long> last = new HashMap<>();
    private long sweptNanos;

    /** Whether the replica may get a ping now; if so, it counts as sent. */
    boolean begins(InetAddressAndPort replica, long nowNanos) {
        forgetOld(nowNanos);
        Long at = last.get(replica);
        if (at != null && !isOld(at, nowNanos)) {
            return false;
        }
        last.put(replica, nowNanos);
        return true;
    }

    /** Now and then: of many nodes each ping would be a look at all. */
    private void forgetOld(long nowNanos) {
        if (last.isEmpty() || nowNanos - sweptNanos >= SWEPT_EACH_NANOS) {
            last.values().removeIf(at -> isOld(at, nowNanos));
            sweptNanos = nowNanos;
        }
    }

    private static boolean isOld(long atNanos, long nowNanos) {
        return nowNanos - atNanos >= LEAST_INTERVAL_NANOS;
    }
}
