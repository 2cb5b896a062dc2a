// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

/** Whether limits are enforced on this node: may be changed while it runs. */
public final class LimitSwitch {
    private volatile boolean on;

    public LimitSwitch(boolean on) {
        this.on = on;
    }

    public boolean isOn() {
        return on;
    }

    public void set(boolean on) {
        this.on = on;
    }
}
