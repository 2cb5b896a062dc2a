// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import dev.isotherm.common.AdaptiveRatio;
import dev.isotherm.common.EventVariance;
import dev.isotherm.common.SteadyRatio;
import dev.isotherm.heat.BalanceSettings;
import dev.isotherm.heat.Heat;
import dev.isotherm.heat.ToldHeat;
import java.util.function.DoubleSupplier;
import org.apache.cassandra.db.ColumnFamilyStore;

/** Measures heat by a pair of Cassandra's counters. */
final class CounterMeter extends TableMeter {
    private final HeatSource counters;
    private final Adder ratio;
    private final DoubleSupplier value;
    private final DoubleSupplier error;
    private final ToldHeat told;
    private Heat heat;
    private double lastNumerator;
    private double lastDenominator;

    /** Adds a numerator and a denominator at an instant. */
    private interface Adder {
        void add(double numerator, double denominator, long nowNanos);
    }

    CounterMeter(
            HeatSourceChoice source,
            ColumnFamilyStore table,
            BalanceSettings settings,
            long smoothingNanos,
            long nowNanos) {
        super(source, table, nowNanos);
        this.counters = source == HeatSourceChoice.CACHE ? HeatSource.CACHE : HeatSource.READ_TIME;
        if (counters == HeatSource.CACHE) {
            AdaptiveRatio misses =
                    new AdaptiveRatio(EventVariance.OF_RATIO, smoothingNanos, 1, COLD_READS, 0, nowNanos);
            this.ratio = misses::add;
            this.value = misses::value;
            this.error = misses::error;
        } else {
            SteadyRatio times = new SteadyRatio(smoothingNanos, settings.coldReadNanos(), COLD_READS, nowNanos);
            this.ratio = times::add;
            this.value = times::value;
            this.error = times::error;
        }
        this.told = new ToldHeat(counters.kind());
        this.heat = told.measured(value.getAsDouble(), 0);
        this.lastNumerator = counters.numerator(table);
        this.lastDenominator = counters.denominator(table);
    }

    @Override
    double addReads(ColumnFamilyStore table, long nowNanos) {
        // The numerator first: a read that ends in between then counts once as a hit or a short read, and misses never
        // exceed reads.
        double numerator = counters.numerator(table);
        double denominator = counters.denominator(table);
        double reads = denominator - lastDenominator;
        if (reads > 0) {
            ratio.add(Math.max(0, numerator - lastNumerator), reads, nowNanos);
            heat = told.measured(counters.bounded(value.getAsDouble()), error.getAsDouble());
        }
        lastNumerator = numerator;
        lastDenominator = denominator;
        return Math.max(0, reads);
    }

    @Override
    Heat localHeat() {
        return heat;
    }
}
