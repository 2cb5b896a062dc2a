// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import dev.isotherm.heat.BalanceSettings;
import dev.isotherm.heat.DiskLoad;
import dev.isotherm.heat.GroupHeats;
import dev.isotherm.heat.HeapBytes;
import dev.isotherm.heat.Placement;
import dev.isotherm.heat.StoredPlan;
import java.util.List;
import java.util.function.Function;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.schema.TableId;

/** The plans of one replica group and the inputs they were made from. */
final class GroupPlan extends StoredPlan {
    /** A number, three flags and the references to six objects. */
    private static final int FIELD_BYTES = Long.BYTES + 3 + 6 * HeapBytes.REFERENCE;

    /** The datacenters whose replicas are drawn; empty if the heats give no plan. */
    final List<DatacenterPlan> datacenters;

    /**
     * Whether the heats of all live replicas of this datacenter are known, and of one kind. Without a plan they are
     * then equally warm, or a read contacts all of them.
     */
    final boolean knowsHeat;

    /** Whether reads may contact replicas in other datacenters. */
    final boolean reachesFar;

    private final ShareLedger ledger;
    private final GroupInputs inputs;
    /** Those of the inputs: a read has one reference less to follow. */
    private final GroupHeats<TableId, InetAddressAndPort> heats;

    private final TableBalance balance;
    private final BalanceSettings settings;
    private final long bytes;

    /**
     * @param reachesFar whether reads may contact replicas in other datacenters
     * @param settings those of the table's balance when the plans were made
     */
    GroupPlan(
            GroupKey key,
            List<DatacenterPlan> datacenters,
            boolean reachesFar,
            ShareLedger ledger,
            GroupInputs inputs,
            TableBalance balance,
            BalanceSettings settings) {
        this.datacenters = datacenters;
        this.knowsHeat = inputs.knowHeatHere();
        this.reachesFar = reachesFar;
        this.ledger = ledger;
        this.inputs = inputs;
        this.heats = inputs.heats;
        this.balance = balance;
        this.settings = settings;
        this.bytes = HeapBytes.object(FIELD_BYTES)
                + key.bytes()
                + inputs.bytes()
                + HeapBytes.list(datacenters.size())
                + datacenters.stream().mapToLong(DatacenterPlan::bytes).sum();
    }

    @Override
    protected boolean isCurrent() {
        return balance.settings() == settings && heats.areCurrent();
    }

    /** The placement that the plans are made for. */
    Placement placement() {
        return settings.placement();
    }

    /** Whether the operator's order is as good as any other for reads that partitions need not place. */
    boolean haveEqualHeats() {
        for (int i = 0; i < datacenters.size(); i++) {
            if (!datacenters.get(i).hasEqualHeats()) {
                return false;
            }
        }
        return true;
    }

    /** Whether reads of heavy partitions are to be spread; all datacenters' plans are made by the same settings. */
    boolean spreadsHeavyHitters() {
        return !datacenters.isEmpty() && datacenters.get(0).spreadsHeavyHitters();
    }

    /**
     * Whether plans from newer inputs would be close enough to these.
     *
     * @param load what the disks of some nodes have to bear now
     */
    boolean isStillRight(GroupInputs newer, Function<InetAddressAndPort[], DiskLoad> load, long nowNanos) {
        return balance.settings() == settings
                && inputs.areSameAs(newer, nowNanos)
                && datacenters.stream().allMatch(each -> each.holdsFor(load));
    }

    @Override
    protected long bytes() {
        return bytes;
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
