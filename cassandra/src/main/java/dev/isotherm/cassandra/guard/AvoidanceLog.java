// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.guard;

import dev.isotherm.cassandra.runtime.RationedLog;
import dev.isotherm.cassandra.runtime.RuntimeSwitch;
import dev.isotherm.guard.ReadGuard;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.apache.cassandra.locator.InetAddressAndPort;

/**
 * One line in the log when this coordinator begins to avoid a replica, one when it uses the replica again, as long as
 * the {@linkplain RationedLog ration} lasts; and how often it began.
 *
 * <p>Whoever tells of it does not wait for the log, whose disk may be the one that hangs: another thread writes.
 *
 * <p>While the guard is switched off it goes on watching; the lines then say what it would do, and nothing is counted.
 */
final class AvoidanceLog implements ReadGuard.Listener<InetAddressAndPort> {
    /** Most lines that wait: more would only where the log hangs, and are left out. */
    private static final int MOST_WAITING = 1000;

    private final RuntimeSwitch enabled;
    private final RationedLog log = new RationedLog(System::nanoTime);
    private final BlockingQueue<Runnable> waiting = new ArrayBlockingQueue<>(MOST_WAITING);
    private final LongAdder avoidances = new LongAdder();

    AvoidanceLog(RuntimeSwitch enabled) {
        this.enabled = enabled;
    }

    @Override
    public void began(InetAddressAndPort replica, String reason) {
        if (enabled.isOn()) {
            avoidances.increment();
            say("Reads of this coordinator avoid {}: {}", replica, reason);
        } else {
            say("The guard is switched off; reads of this coordinator would avoid {}: {}", replica, reason);
        }
    }

    @Override
    public void ended(InetAddressAndPort replica, long afterNanos) {
        say(
                enabled.isOn()
                        ? "Reads of this coordinator use {} again, after {} ms"
                        : "The guard is switched off; it would no longer avoid {}, after {} ms",
                replica,
                TimeUnit.NANOSECONDS.toMillis(afterNanos));
    }

    private void say(String line, Object... values) {
        waiting.offer(() -> log.info(line, values));
    }

    /** Whether there are lines to write. */
    boolean isWaiting() {
        return !waiting.isEmpty();
    }

    /** The number of lines to write. */
    int waiting() {
        return waiting.size();
    }

    /** Writes the lines that wait. */
    void write() {
        for (Runnable line = waiting.poll(); line != null; line = waiting.poll()) {
            line.run();
        }
    }

    /** How often a replica began to be avoided since the node started. */
    long avoidances() {
        return avoidances.sum();
    }
}
