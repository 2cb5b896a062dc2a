// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.runtime;

/** The switch of one feature on this node, which can be changed while the node runs. */
public final class RuntimeSwitch {
    private volatile boolean on;
    /** Why the feature cannot be switched on; null if it can. */
    private volatile String broken;

    private volatile Runnable whenOn = () -> {};

    public RuntimeSwitch(boolean on) {
        this.on = on;
    }

    public boolean isOn() {
        return on;
    }

    /** @throws IllegalStateException when the feature is to be switched on after {@link #breakOff} */
    public synchronized void set(boolean on) {
        if (on && broken != null) {
            throw new IllegalStateException(broken);
        }
        this.on = on;
        if (on) {
            whenOn.run();
        }
    }

    /** Has this run each time that the feature is switched on, before its UPDATE returns. */
    void whenOn(Runnable run) {
        whenOn = run;
    }

    /** Switches the feature off for as long as the node runs, for a reason that follows the word 'because'. */
    public synchronized void breakOff(String why) {
        broken = why;
        on = false;
    }

    /** The switch as a setting. */
    public RuntimeSetting setting(String name) {
        return new RuntimeSetting(name, () -> Boolean.toString(on), this::change).keepable();
    }

    private void change(String value) {
        if (!value.equalsIgnoreCase("true") && !value.equalsIgnoreCase("false")) {
            throw new IllegalArgumentException("true, false");
        }
        try {
            set(Boolean.parseBoolean(value));
        } catch (IllegalStateException e) {
            throw new IllegalArgumentException("false, because " + e.getMessage(), e);
        }
    }
}
