// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import dev.isotherm.heat.BalanceSettings;
import dev.isotherm.heat.CoordinatedReads;
import dev.isotherm.heat.Heat;
import dev.isotherm.heat.Placement;
import dev.isotherm.heat.RequestRate;
import dev.isotherm.heat.SeenMisses;
import org.apache.cassandra.db.ColumnFamilyStore;

/** Measures this node's heat for one table, and the reads that it coordinates. Used by one thread. */
abstract class TableMeter {
    final HeatSourceChoice source;
    private final CoordinatedReads coordinated;
    /** The rate of local reads: as steady as that of coordinated ones, so that tables keep their places in reports. */
    private final CoordinatedReads local;

    /** The reads since the placement was last looked at. */
    final SeenMisses seen;

    /** What this node tells of the table, as of the last sample; null before the first. */
    TableHeat heat;

    /** Whether this node tells of the table, as of the last sample. */
    boolean isWorthTelling;
    /** How often the measuring had paused when the table was last looked at. */
    int pauses;
    /** Whether the last look added nothing, for a pause before it. */
    boolean hasSkipped;

    private long lastCoordinated;
    private boolean hasTraffic;

    TableMeter(HeatSourceChoice source, ColumnFamilyStore table, BalanceSettings settings, long nowNanos) {
        this.source = source;
        this.seen = new SeenMisses(settings);
        this.coordinated = new CoordinatedReads(nowNanos);
        this.local = new CoordinatedReads(nowNanos);
        this.lastCoordinated = coordinatedReads(table);
    }

    /** Whether the table has not been read since the last sample. */
    final boolean isAtRest(ColumnFamilyStore table) {
        return heat != null && coordinatedReads(table) == lastCoordinated && hasNoMoreReads(table);
    }

    private static long coordinatedReads(ColumnFamilyStore table) {
        return table.metric.coordinatorReadLatency.getCount();
    }

    /** Whether there are no local reads to {@link #addReads add}. */
    abstract boolean hasNoMoreReads(ColumnFamilyStore table);

    /** Adds the reads since the last call. */
    final void sample(ColumnFamilyStore table, long nowNanos) {
        double localReads = addReads(table, nowNanos);
        hasTraffic |= localReads > 0;
        local.add(localReads, nowNanos);
        long reads = coordinatedReads(table);
        coordinated.add(Math.max(0, reads - lastCoordinated), nowNanos);
        lastCoordinated = reads;
    }

    /** The reads since the last call count for nothing. */
    final void skip(ColumnFamilyStore table, long nowNanos) {
        skipReads(table, nowNanos);
        local.skip(nowNanos);
        coordinated.skip(nowNanos);
        lastCoordinated = coordinatedReads(table);
    }

    /** The local reads since the last call count for nothing. */
    abstract void skipReads(ColumnFamilyStore table, long nowNanos);

    /**
     * Adds the local reads since the last call.
     *
     * @return their number
     */
    abstract double addReads(ColumnFamilyStore table, long nowNanos);

    abstract Heat localHeat();

    /** Sets the time constant of the moving averages, nanoseconds; the heat itself stays. */
    abstract void setSmoothing(long nanos);

    /** @param vote what this node votes for; null for no vote */
    final TableHeat heat(Placement vote) {
        heat = new TableHeat(localHeat(), coordinated.rate(), local.rate(), vote);
        return heat;
    }

    /** The local reads a second; null while they are not known. */
    final RequestRate localReads() {
        return local.rate();
    }

    /** Whether the table has been read on this node since it started. */
    final boolean hasTraffic() {
        return hasTraffic;
    }
}
