// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.runtime;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Log lines about one kind of event that clients or other nodes can bring about as often as they like: at most
 * {@link #AT_ONCE} at once and as many a minute. The next line after some that were left out says how many. Thread
 * safe.
 */
public final class RationedLog {
    /** The lines that may follow on each other immediately. */
    public static final int AT_ONCE = 20;

    private static final Logger logger = LoggerFactory.getLogger("dev.isotherm");
    private static final long NANOS_PER_LINE = TimeUnit.MINUTES.toNanos(1) / AT_ONCE;

    private final LongSupplier nanoClock;
    /** The instant at which the whole ration is there again. Guarded by this. */
    private long wholeNanos;
    /** The lines left out since the last one. Guarded by this. */
    private long leftOut;

    /** @param nanoClock the time, such as System.nanoTime() */
    public RationedLog(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
        this.wholeNanos = nanoClock.getAsLong();
    }

    /** Logs a line, unless the ration is used up. */
    public void info(String line, Object... values) {
        long before = leftOutBefore();
        if (before < 0) {
            return;
        }
        // Without the lock: a log whose disk hangs holds up its own writers, and not those whose ration is used up.
        if (before > 0) {
            logger.info("{} lines like the next one were left out", before);
        }
        logger.info(line, values);
    }

    /** Takes a line of the ration; returns how many were left out before it, or -1 if the ration is used up. */
    private synchronized long leftOutBefore() {
        long now = nanoClock.getAsLong();
        long due = Math.max(0, wholeNanos - now);
        if (due > (AT_ONCE - 1) * NANOS_PER_LINE) {
            leftOut++;
            return -1;
        }
        wholeNanos = now + due + NANOS_PER_LINE;
        long before = leftOut;
        leftOut = 0;
        return before;
    }
}
