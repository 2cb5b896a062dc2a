// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.share;

import dev.isotherm.benchmarks.Measurements;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.results.RunResult;

/** The table of the cost of fair shares beside a limit's decision, and the broken promises. */
public final class FairShareSummary {
    private static final double PROMISED = 1.5;

    private final Measurements measured;
    private final List<String> shortfalls = new ArrayList<>();

    public FairShareSummary(Collection<RunResult> results) {
        measured = new Measurements(results);
    }

    /** Prints the table and returns a sentence for each broken promise. */
    public List<String> print(PrintStream out) {
        out.println(
                "One operation under fair shares, ns in the fastest iteration and in the median one (bytes allocated)");
        for (String name : measured.names()) {
            out.printf(
                    "  %-28s %10.1f %10.1f (%.0f)%n",
                    name, measured.fastest(name), measured.median(name), measured.bytes(name));
            if (measured.bytes(name) >= 1) {
                shortfalls.add(String.format("%s allocates %.1f bytes, promised are none", name, measured.bytes(name)));
            }
        }
        ratio(out, "one partition, over a limit", "shareOfOne", "bucketOfOne");
        ratio(out, "a million partitions, over a limit", "shareOfMany", "bucketOfMany");
        ratio(out, "a partition that is cut, over a limit", "shareOfCut", "bucketOfOne");
        ratio(out, "a write of such a partition, over a limit", "writeShareOfCut", "bucketOfOne");
        ratio(out, "one that another node has admitted, over a limit", "writeAdmittedElsewhere", "bucketOfOne");
        ratio(out, "with names, one partition, over a limit", "namedShareOfOne", "bucketOfOne");
        ratio(out, "with names, a million partitions, over a limit", "namedShareOfMany", "bucketOfMany");
        return shortfalls;
    }

    private void ratio(PrintStream out, String what, String ours, String rival) {
        double ratio = measured.fastest(ours) / measured.fastest(rival);
        out.printf("  %-56s %6.2f x%n", what, ratio);
        if (ratio > PROMISED) {
            shortfalls.add(String.format("%s: %.2f x, promised at most %.2f", what, ratio, PROMISED));
        }
    }
}
