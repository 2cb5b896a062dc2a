// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import dev.isotherm.heat.BalanceSettings;
import java.util.List;
import java.util.function.LongSupplier;

/** The plans of one replica group and the inputs they were made from. */
final class GroupPlan {
    /** The datacenters whose replicas are drawn; empty if the heats give no plan and the operator's order stays. */
    final List<DatacenterPlan> datacenters;

    private final ShareLedger ledger;
    private final LongSupplier heatVersions;
    private final long heatVersion;
    private final BalanceSettings settings;
    private final int lastSecond;

    GroupPlan(
            List<DatacenterPlan> datacenters,
            ShareLedger ledger,
            LongSupplier heatVersions,
            long heatVersion,
            BalanceSettings settings,
            int lastSecond) {
        this.datacenters = datacenters;
        this.ledger = ledger;
        this.heatVersions = heatVersions;
        this.heatVersion = heatVersion;
        this.settings = settings;
        this.lastSecond = lastSecond;
    }

    boolean isCurrent(BalanceSettings settings, int second) {
        return heatVersions.getAsLong() == heatVersion && this.settings == settings && !isOutdatedBy(second);
    }

    boolean isOutdatedBy(int second) {
        return second > lastSecond;
    }

    /** Adds the draws since the last call to the table's ledger; returns the number of reads. */
    long settle() {
        long reads = 0;
        for (DatacenterPlan datacenter : datacenters) {
            // Each read draws once in every datacenter.
            reads = Math.max(reads, datacenter.settle(ledger));
        }
        return reads;
    }
}
