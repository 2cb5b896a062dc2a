// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import dev.isotherm.common.DecayedRatio;
import dev.isotherm.heat.CoordinatedReads;
import org.apache.cassandra.db.ColumnFamilyStore;

/** Measures this node's heat for one table, and the reads that it coordinates. Used by one thread. */
final class TableMeter {
    /** A started node counts as cold until about this many of its own reads outweigh the cold value. */
    private static final double COLD_READS = 20;

    final HeatSource source;
    private final DecayedRatio ratio;
    private final CoordinatedReads coordinated;
    private long lastCoordinated;
    private double lastNumerator;
    private double lastDenominator;
    private boolean hasTraffic;

    /** @param coldValue the ratio of a cold node: 1 for misses, the time of a cold read in nanoseconds otherwise */
    TableMeter(HeatSource source, ColumnFamilyStore table, double coldValue, long smoothingNanos, long nowNanos) {
        this.source = source;
        this.ratio = new DecayedRatio(smoothingNanos, coldValue, COLD_READS, nowNanos);
        this.coordinated = new CoordinatedReads(nowNanos);
        this.lastCoordinated = table.metric.coordinatorReadLatency.getCount();
        this.lastNumerator = source.numerator(table);
        this.lastDenominator = source.denominator(table);
    }

    /** Adds the reads since the last call. */
    void sample(ColumnFamilyStore table, long nowNanos) {
        // The numerator first: a read that ends in between then counts once as a hit or a short read, and misses never
        // exceed reads.
        double numerator = source.numerator(table);
        double denominator = source.denominator(table);
        if (denominator > lastDenominator) {
            double reads = denominator - lastDenominator;
            ratio.add(Math.max(0, numerator - lastNumerator), reads, nowNanos);
            hasTraffic = true;
        }
        lastNumerator = numerator;
        lastDenominator = denominator;
        long reads = table.metric.coordinatorReadLatency.getCount();
        coordinated.add(Math.max(0, reads - lastCoordinated), nowNanos);
        lastCoordinated = reads;
    }

    TableHeat heat() {
        return new TableHeat(source.heat(ratio.value()), coordinated.rate());
    }

    /** Whether the table has been read on this node since it started. */
    boolean hasTraffic() {
        return hasTraffic;
    }
}
