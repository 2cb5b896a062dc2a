// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import java.util.List;

import dev.isotherm.heat.BalanceSettings;

/** The plans of one replica group and the inputs they were made from. */
final class GroupPlan {
    /** The datacenters whose replicas are drawn; empty when heat says nothing and the operator's order stands. */
    final List<DatacenterPlan> datacenters;
    final ShareLedger ledger;
    private final long heatVersion;
    private final BalanceSettings settings;
    private final long expiresAtNanos;

    GroupPlan(
            List<DatacenterPlan> datacenters,
            ShareLedger ledger,
            long heatVersion,
            BalanceSettings settings,
            long expiresAtNanos) {
        this.datacenters = datacenters;
        this.ledger = ledger;
        this.heatVersion = heatVersion;
        this.settings = settings;
        this.expiresAtNanos = expiresAtNanos;
    }

    boolean isCurrent(long heatVersion, BalanceSettings settings, long nowNanos) {
        return this.heatVersion == heatVersion && this.settings == settings && nowNanos - expiresAtNanos < 0;
    }

    void settle() {
        for (DatacenterPlan datacenter : datacenters) {
            datacenter.settle(ledger);
        }
    }
}
