// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import dev.isotherm.heat.BalanceSettings;
import dev.isotherm.heat.Placement;

/** What may be changed while the node runs: whether reads are balanced, and their placement. */
public final class HeatSwitches {
    private volatile boolean enabled;
    private volatile BalanceSettings balance;

    public HeatSwitches(boolean enabled, BalanceSettings balance) {
        this.enabled = enabled;
        this.balance = balance;
    }

    public boolean isEnabled() {
        return enabled;
    }

    public void setEnabled(boolean enabled) {
        this.enabled = enabled;
    }

    public BalanceSettings balance() {
        return balance;
    }

    public Placement placement() {
        return balance.placement();
    }

    public void setPlacement(Placement placement) {
        balance = balance.withPlacement(placement);
    }
}
