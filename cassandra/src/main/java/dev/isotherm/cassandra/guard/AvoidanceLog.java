// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.guard;

import dev.isotherm.cassandra.runtime.RationedLog;
import dev.isotherm.cassandra.runtime.RuntimeSwitch;
import dev.isotherm.guard.ReadGuard;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.apache.cassandra.locator.InetAddressAndPort;

/**
 * One line in the log when this coordinator begins to avoid a replica, one when it uses the replica again.
 *
 * <p>While the guard is switched off it goes on watching; the lines then say what it would do, and nothing is counted.
 */
final class AvoidanceLog implements ReadGuard.Listener<InetAddressAndPort> {
    private final RuntimeSwitch enabled;
    private final RationedLog log = new RationedLog(System::nanoTime);
    private final LongAdder avoidances = new LongAdder();

    AvoidanceLog(RuntimeSwitch enabled) {
        this.enabled = enabled;
    }

    @Override
    public void began(InetAddressAndPort replica, String reason) {
        if (enabled.isOn()) {
            avoidances.increment();
            log.info("Reads of this coordinator avoid {}: {}", replica, reason);
        } else {
            log.info("The guard is switched off; reads of this coordinator would avoid {}: {}", replica, reason);
        }
    }

    @Override
    public void ended(InetAddressAndPort replica, long afterNanos) {
        log.info(
                enabled.isOn()
                        ? "Reads of this coordinator use {} again, after {} ms"
                        : "The guard is switched off; it would no longer avoid {}, after {} ms",
                replica,
                TimeUnit.NANOSECONDS.toMillis(afterNanos));
    }

    /** How often a replica began to be avoided since the node started. */
    long avoidances() {
        return avoidances.sum();
    }
}
