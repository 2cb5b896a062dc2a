// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.guard;

import dev.isotherm.cassandra.runtime.RationedLog;
import dev.isotherm.guard.ReadGuard;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.apache.cassandra.locator.InetAddressAndPort;

/** One line in the log when this coordinator begins to avoid a replica, one when it uses the replica again. */
final class AvoidanceLog implements ReadGuard.Listener<InetAddressAndPort> {
    private final RationedLog log = new RationedLog(System::nanoTime);
    private final LongAdder avoidances = new LongAdder();

    @Override
    public void began(InetAddressAndPort replica, String reason) {
        avoidances.increment();
        log.info("Reads of this coordinator avoid {}: {}", replica, reason);
    }

    @Override
    public void ended(InetAddressAndPort replica, long afterNanos) {
        log.info(
                "Reads of this coordinator use {} again, after {} ms",
                replica,
                TimeUnit.NANOSECONDS.toMillis(afterNanos));
    }

    /** How often a replica began to be avoided since the node started. */
    long avoidances() {
        return avoidances.sum();
    }
}
