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
    private final LongSupplier underWayNanos;
    private final LongSupplier nanoClock;
    private final Runnable resumed;
    private volatile boolean idle;
    /** The instant at which a feature was last known to be on. */
    private long onNanos;

    /**
     * @param switches those of all features
     * @param underWayNanos the time after which no request is under way that began before
     * @param resumed is run when a feature is switched on after a time without anything, before anything is done again;
     *     must not throw
     */
    public Idleness(
            List<RuntimeSwitch> switches, LongSupplier underWayNanos, LongSupplier nanoClock, Runnable resumed) {
        this.switches = List.copyOf(switches);
        this.underWayNanos = underWayNanos;
        this.nanoClock = nanoClock;
        this.resumed = resumed;
        this.onNanos = nanoClock.getAsLong();
        switches.forEach(each -> each.whenOn(this::wake));
    }

    /** Whether the plugin does nothing; false from the instant at which a feature is switched on. */
    public boolean isIdle() {
        return idle;
    }

    private synchronized void wake() {
        onNanos = nanoClock.getAsLong();
        if (idle) {
            resumed.run();
            idle = false;
        }
    }

    /** Looks whether nothing can be under way any more; call it each second. */
    public synchronized void look() {
        long now = nanoClock.getAsLong();
        if (switches.stream().anyMatch(RuntimeSwitch::isOn)) {
            onNanos = now;
        } else if (now - onNanos > underWayNanos.getAsLong()) {
            idle = true;
        }
    }
}
