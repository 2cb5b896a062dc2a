// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import dev.isotherm.heat.CoordinatedReads;
import dev.isotherm.heat.Heat;
import org.apache.cassandra.db.ColumnFamilyStore;

/** Measures this node's heat for one table, and the reads that it coordinates. Used by one thread. */
abstract class TableMeter {
    final HeatSourceChoice source;
    private final CoordinatedReads coordinated;
    /** The rate of local reads: as steady as that of coordinated ones, so that tables keep their places in reports. */
    private final CoordinatedReads local;

    private long lastCoordinated;
    private boolean hasTraffic;

    TableMeter(HeatSourceChoice source, ColumnFamilyStore table, long nowNanos) {
        this.source = source;
        this.coordinated = new CoordinatedReads(nowNanos);
        this.local = new CoordinatedReads(nowNanos);
        this.lastCoordinated = table.metric.coordinatorReadLatency.getCount();
    }

    /** Adds the reads since the last call. */
    final void sample(ColumnFamilyStore table, long nowNanos) {
        double localReads = addReads(table, nowNanos);
        hasTraffic |= localReads > 0;
        local.add(localReads, nowNanos);
        long reads = table.metric.coordinatorReadLatency.getCount();
        coordinated.add(Math.max(0, reads - lastCoordinated), nowNanos);
        lastCoordinated = reads;
    }

    /**
     * Adds the local reads since the last call.
     *
     * @return their number
     */
    abstract double addReads(ColumnFamilyStore table, long nowNanos);

    abstract Heat localHeat();

    /** Sets the time constant of the moving averages, nanoseconds; the heat itself stays. */
    abstract void setSmoothing(long nanos);

    final TableHeat heat() {
        return new TableHeat(localHeat(), coordinated.rate(), local.rate());
    }

    /** Whether the table has been read on this node since it started. */
    final boolean hasTraffic() {
        return hasTraffic;
    }
}
