// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import dev.isotherm.cassandra.runtime.RuntimeSwitch;
import dev.isotherm.heat.BalanceSettings;

/** What can change while the node runs and each read looks at: the feature's switch and the settings of its plans. */
final class HeatSwitches {
    private final RuntimeSwitch enabled;
    private volatile BalanceSettings balance;

    HeatSwitches(boolean enabled, BalanceSettings balance) {
        this.enabled = new RuntimeSwitch(enabled);
        this.balance = balance;
    }

    RuntimeSwitch enabled() {
        return enabled;
    }

    /** The present settings; a plan that was made by another object of them is made anew. */
    BalanceSettings balance() {
        return balance;
    }

    void use(BalanceSettings changed) {
        balance = changed;
    }
}
