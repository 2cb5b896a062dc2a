// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.wire;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.cassandra.locator.InetAddressAndPort;

/** What is sent to each node at most once in an interval. Thread safe; of a remembered node it allocates nothing. */
public final class NodePace {
    private final long intervalNanos;
    private final Map<InetAddressAndPort, AtomicLong> sentNanos = new ConcurrentHashMap<>();

    /** @param intervalNanos the time between two sendings to a node */
    public NodePace(long intervalNanos) {
        this.intervalNanos = intervalNanos;
    }

    /** Whether to send it now: so of several threads that ask at once one is told. */
    public boolean isDue(InetAddressAndPort node, long nowNanos) {
        AtomicLong last = sentNanos.get(node);
        if (last == null) {
            return sentNanos.putIfAbsent(node, new AtomicLong(nowNanos)) == null;
        }
        long sent = last.get();
        return nowNanos - sent >= intervalNanos && last.compareAndSet(sent, nowNanos);
    }

    /** Forgets a node that restarted or left the cluster. */
    public void removed(InetAddressAndPort node) {
        sentNanos.remove(node);
    }

    /** The number of remembered nodes. */
    public int remembered() {
        return sentNanos.size();
    }
}
