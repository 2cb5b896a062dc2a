// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import dev.isotherm.cassandra.runtime.RuntimeSetting;
import dev.isotherm.cassandra.runtime.RuntimeSwitch;

/** The mode in which fair shares are kept, which can be changed while the node runs. */
final class FairShareSwitch {
    private final RuntimeSwitch enabled;
    private volatile FairShareMode mode;

    /** @param enabled the switch of all limits: while it is off, nothing is refused */
    FairShareSwitch(FairShareMode mode, RuntimeSwitch enabled) {
        this.mode = mode;
        this.enabled = enabled;
    }

    /** Whether nothing is to be measured or refused. */
    boolean isOff() {
        return mode == FairShareMode.OFF || !enabled.isOn();
    }

    /** Whether what is refused is not served. */
    boolean isEnforced() {
        return mode == FairShareMode.ON;
    }

    /** The mode, as a setting. */
    RuntimeSetting setting() {
        return new RuntimeSetting("limit.fair_share", () -> mode.text(), value -> mode = FairShareMode.parse(value))
                .keepable();
    }
}
