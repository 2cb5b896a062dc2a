// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.runtime;

import java.util.List;
import java.util.function.LongSupplier;

/**
 * Whether the plugin does nothing on this node: all its features have been switched off for so long that nothing they
 * have begun is under way any more. Then requests and messages of other requests are not even looked at.
 *
 * <p>Any thread asks, of one field; one thread looks. Of a switch there may be one of these.
 */
public final class Idleness {
    private final List<RuntimeSwitch> switches;
    private final long underWayNanos;
    private final LongSupplier nanoClock;
    private volatile boolean idle;
    private volatile boolean woken;
    /** When a feature was last seen switched on; for the thread that looks. */
    private long onNanos;

    /**
     * @param switches those of all features
     * @param underWayNanos the time after which no request is under way that began before
     */
    public Idleness(List<RuntimeSwitch> switches, long underWayNanos, LongSupplier nanoClock) {
        this.switches = List.copyOf(switches);
        this.underWayNanos = underWayNanos;
        this.nanoClock = nanoClock;
        this.onNanos = nanoClock.getAsLong();
        switches.forEach(each -> each.whenOn(this::wake));
    }

    /** Whether the plugin does nothing; false from the instant at which a feature is switched on. */
    public boolean isIdle() {
        return idle;
    }

    private synchronized void wake() {
        woken |= idle;
        idle = false;
    }

    /**
     * Looks at the switches; call it each second.
     *
     * @param resumed is run after a time without anything, at the first look after a feature was switched on
     */
    public void look(Runnable resumed) {
        if (rest()) {
            resumed.run();
        }
    }

    /** Whether a feature was switched on since the last call, after a time without anything. */
    private synchronized boolean rest() {
        long now = nanoClock.getAsLong();
        boolean resumes = woken;
        woken = false;
        if (resumes || switches.stream().anyMatch(RuntimeSwitch::isOn)) {
            onNanos = now;
        } else if (now - onNanos > underWayNanos) {
            idle = true;
        }
        return resumes;
    }
}
