// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra;

/** Whether one feature works on this node: may be changed while it runs. */
public final class RuntimeSwitch {
    private volatile boolean on;

    public RuntimeSwitch(boolean on) {
        this.on = on;
    }

    public boolean isOn() {
        return on;
    }

    public void set(boolean on) {
        this.on = on;
    }
}
