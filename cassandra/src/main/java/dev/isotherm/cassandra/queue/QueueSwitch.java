// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.queue;

/** Whether leaders of counter updates are chosen by their queues: may be changed while the node runs. */
public final class QueueSwitch {
    private volatile boolean on;

    public QueueSwitch(boolean on) {
        this.on = on;
    }

    public boolean isOn() {
        return on;
    }

    public void set(boolean on) {
        this.on = on;
    }
}
