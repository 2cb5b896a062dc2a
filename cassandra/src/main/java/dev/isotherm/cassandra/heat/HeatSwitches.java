// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import dev.isotherm.cassandra.runtime.RuntimeSetting;
import dev.isotherm.cassandra.runtime.RuntimeSwitch;
import dev.isotherm.heat.BalanceSettings;
import dev.isotherm.heat.Placement;
import java.util.List;
import java.util.Locale;

/** The settings of heat that can be changed while the node runs: the feature's switch and the placement. */
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

    BalanceSettings balance() {
        return balance;
    }

    void setPlacement(Placement placement) {
        balance = balance.withPlacement(placement);
    }

    /** Both settings. */
    List<RuntimeSetting> settings() {
        return List.of(
                enabled.setting("heat.enabled"),
                new RuntimeSetting(
                                "heat.placement",
                                () -> balance.placement().name().toLowerCase(Locale.ROOT),
                                this::changePlacement)
                        .keepable());
    }

    private void changePlacement(String value) {
        try {
            setPlacement(Placement.parse(value));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("local, affinity", e);
        }
    }
}
