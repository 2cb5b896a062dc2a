// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import dev.isotherm.heat.BalanceSettings;
import dev.isotherm.heat.CountedHeat;
import dev.isotherm.heat.Heat;
import org.apache.cassandra.db.ColumnFamilyStore;

/** Measures heat by a pair of Cassandra's counters. */
final class CounterMeter extends TableMeter {
    private final HeatSource counters;
    private final CountedHeat counted;
    private double lastNumerator;
    private double lastDenominator;

    CounterMeter(
            HeatSourceChoice source,
            ColumnFamilyStore table,
            BalanceSettings settings,
            long smoothingNanos,
            long nowNanos) {
        super(source, table, settings, nowNanos);
        this.counters = source == HeatSourceChoice.CACHE ? HeatSource.CACHE : HeatSource.READ_TIME;
        this.counted = counters == HeatSource.CACHE
                ? CountedHeat.ofMisses(smoothingNanos, nowNanos)
                : CountedHeat.ofReadTimes(smoothingNanos, settings, nowNanos);
        this.lastNumerator = counters.numerator(table);
        this.lastDenominator = counters.denominator(table);
    }

    @Override
    boolean hasNoMoreReads(ColumnFamilyStore table) {
        return counters.denominator(table) == lastDenominator;
    }

    @Override
    double addReads(ColumnFamilyStore table, long nowNanos) {
        // The numerator first: a read that ends in between then counts once as a hit or a short read, and misses never
        // exceed reads.
        double numerator = counters.numerator(table);
        double denominator = counters.denominator(table);
        double reads = Math.max(0, denominator - lastDenominator);
        double grown = Math.max(0, numerator - lastNumerator);
        counted.add(grown, reads, nowNanos);
        if (counters == HeatSource.CACHE) {
            seen.addLookUps(grown, reads);
        } else {
            seen.addTimes(grown, reads);
        }
        lastNumerator = numerator;
        lastDenominator = denominator;
        return reads;
    }

    @Override
    void skipReads(ColumnFamilyStore table, long nowNanos) {
        lastNumerator = counters.numerator(table);
        lastDenominator = counters.denominator(table);
    }

    @Override
    Heat localHeat() {
        return counted.heat();
    }

    @Override
    void setSmoothing(long nanos) {
        counted.setSmoothing(nanos);
    }
}
