// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.lab;

import org.apache.cassandra.utils.Clock;

/**
 * A wall clock that is wrong by as much as it is told, from one moment to the next. Monotonic time stays what it is, as
 * when an operator or a time server sets a machine's clock.
 *
 * <p>Cassandra takes it for its own with {@code -Dcassandra.clock=dev.isotherm.lab.SteppedClock}; its clock is made
 * before anything else, so that how wrong it is belongs to the process. A process begins with what {@code
 * -Disotherm.lab.clock.ahead_ms} says.
 */
public final class SteppedClock implements Clock {
    private static volatile long aheadMillis = Long.getLong("isotherm.lab.clock.ahead_ms", 0);

    /** Has the clock be so much ahead of the machine's from now on; behind, if negative. */
    static void setAhead(long millis) {
        aheadMillis = millis;
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public long currentTimeMillis() {
        return System.currentTimeMillis() + aheadMillis;
    }
}
