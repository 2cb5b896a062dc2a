// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import dev.isotherm.heat.BalanceSettings;
import dev.isotherm.heat.DiskReads;
import dev.isotherm.heat.Heat;
import org.apache.cassandra.db.ColumnFamilyStore;

/** Measures heat by a sample of the reads: how many go to the disk, and what they cost there. */
final class DiskMeter extends TableMeter {
    private final DiskReads disk;
    private long lastReads;

    DiskMeter(
            ColumnFamilyStore table,
            DiskSampling sampling,
            BalanceSettings settings,
            long smoothingNanos,
            long nowNanos) {
        super(HeatSourceChoice.DISK, table, settings, nowNanos);
        this.disk = new DiskReads(smoothingNanos, settings.coldReadNanos(), nowNanos);
        this.lastReads = reads(table);
        sampling.follow(table.metadata.id, disk);
    }

    private static long reads(ColumnFamilyStore table) {
        return table.metric.readLatency.latency.getCount();
    }

    @Override
    boolean hasNoMoreReads(ColumnFamilyStore table) {
        return reads(table) == lastReads;
    }

    @Override
    double addReads(ColumnFamilyStore table, long nowNanos) {
        long all = reads(table);
        long reads = Math.max(0, all - lastReads);
        lastReads = all;
        disk.settle(reads, nowNanos);
        seen.addSampled(disk);
        return reads;
    }

    @Override
    void skipReads(ColumnFamilyStore table, long nowNanos) {
        lastReads = reads(table);
        disk.skip(nowNanos);
    }

    @Override
    Heat localHeat() {
        return disk.heat();
    }

    @Override
    void setSmoothing(long nanos) {
        disk.setSmoothing(nanos);
    }
}
