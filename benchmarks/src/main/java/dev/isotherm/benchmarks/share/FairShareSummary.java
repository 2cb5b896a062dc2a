// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.share;

import dev.isotherm.benchmarks.Measurements;
import dev.isotherm.benchmarks.Shortfalls;
import java.io.PrintStream;
import java.util.Collection;
import org.openjdk.jmh.results.RunResult;

/**
 * The table of the cost of fair shares beside a limit's decision. What admits all is judged by a limit that admits all,
 * and what refuses by one that refuses as many: decisions that chance makes take the processor longer.
 */
public final class FairShareSummary {
    private static final double PROMISED = 1.5;

    private final Measurements measured;

    public FairShareSummary(Collection<RunResult> results) {
        measured = new Measurements(results);
    }

    /** Prints the table and judges it. */
    public void print(PrintStream out, Shortfalls shortfalls) {
        out.println(
                "One operation under fair shares, ns in the fastest iteration and in the median one (bytes allocated)");
        for (String name : measured.names()) {
            out.printf(
                    "  %-28s %10.1f %10.1f (%.0f)%n",
                    name, measured.fastest(name), measured.median(name), measured.bytes(name));
            shortfalls.noBytes(name, measured.bytes(name));
        }
        String[][] rows = {
            {"one partition, over a limit", "shareOfOne", "bucketOfOneAdmitted"},
            {"a million partitions, over a limit", "shareOfMany", "bucketOfMany"},
            {"a partition that is cut, over a limit", "shareOfCut", "bucketOfOne"},
            {"a write of such a partition, over a limit", "writeShareOfCut", "bucketOfOne"},
            {"one that another node has admitted, over a limit", "writeAdmittedElsewhere", "bucketOfOneAdmitted"},
            {"with names, one partition, over a limit", "namedShareOfOne", "bucketOfOneAdmitted"},
            {"with names, a million partitions, over a limit", "namedShareOfMany", "bucketOfMany"},
        };
        for (String[] row : rows) {
            double ratio = measured.fastest(row[1]) / measured.fastest(row[2]);
            out.printf("  %-56s %6.2f x%n", row[0], ratio);
            shortfalls.atMost(
                    PROMISED, ratio, String.format("%s: %.2f x, promised at most %.2f", row[0], ratio, PROMISED));
        }
    }
}
