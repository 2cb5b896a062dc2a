// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.heat;

import dev.isotherm.common.MalformedReportException;
import dev.isotherm.heat.Heat;
import dev.isotherm.heat.HeatReport;
import dev.isotherm.heat.Placement;
import dev.isotherm.heat.RequestRate;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Decodes another node's report with a given number of tables; the sum over all tables must equal that of the written
 * report.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class DecodeBenchmark implements HeatReport.Consumer {
    @Param({"1", "20", "255"})
    public int tables;

    private byte[] bytes;
    private long expected;
    private long sum;

    @Setup
    public void prepare() {
        HeatReport.Builder report = new HeatReport.Builder();
        SplittableRandom random = new SplittableRandom(tables);
        sum = 0;
        for (int table = 0; table < tables; table++) {
            long msb = random.nextLong();
            long lsb = random.nextLong();
            Heat heat = Heat.missRatio(random.nextDouble());
            report.add(msb, lsb, heat);
            heat(msb, lsb, heat, null, null);
        }
        expected = sum;
        bytes = report.encode();
    }

    @Benchmark
    public int decoded() throws MalformedReportException {
        sum = 0;
        int count = HeatReport.decode(bytes, this);
        if (count != tables || sum != expected) {
            throw new AssertionError(count + " tables with sum " + sum);
        }
        return count;
    }

    @Override
    public void heat(long tableMsb, long tableLsb, Heat heat, RequestRate rate, Placement vote) {
        sum += tableMsb ^ tableLsb * 31 + heat.code();
    }
}
