// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.guard;

import dev.isotherm.benchmarks.Measurements;
import dev.isotherm.benchmarks.Shortfalls;
import dev.isotherm.guard.ReadGuard;
import java.io.PrintStream;
import java.util.Collection;
import org.openjdk.jmh.results.RunResult;

/** The table of the cost of the guard's looks at the nodes that a coordinator reads from. */
public final class LookSummary {
    /** The nodes for which a promise is made. */
    private static final int NODES = 300;

    private final Measurements measured;
    private final String circumstances;
    private final int[] sizes;
    private final double atMost;

    private LookSummary(Collection<RunResult> results, String circumstances, double atMost, int... sizes) {
        measured = new Measurements(results);
        this.circumstances = circumstances;
        this.atMost = atMost;
        this.sizes = sizes;
    }

    /** Of {@link GuardLookBenchmark}: promised is at most one fiftieth of a processor. */
    public static LookSummary whileAllIsWell(Collection<RunResult> results) {
        return new LookSummary(results, "with a read under way to each node", 0.02, 3, 30, NODES, 1000);
    }

    /** Of {@link GuardTroubleBenchmark}: promised is at most one twentieth of a processor. */
    public static LookSummary whileATenthIsLate(Collection<RunResult> results) {
        return new LookSummary(results, "in the first seconds in which a tenth is avoided", 0.05, 30, NODES, 1000);
    }

    /** Prints the table and judges it. */
    public void print(PrintStream out, Shortfalls shortfalls) {
        out.printf("The guard's looks, 100 a second, %s: in the median iteration%n", circumstances);
        for (int nodes : sizes) {
            out.printf(
                    "  %4d nodes %10.1f us a look, %.2f %% of one processor%n",
                    nodes, nanos(nodes) / 1e3, 100 * part(nodes));
        }
        shortfalls.atMost(
                atMost,
                part(NODES),
                String.format(
                        "looks at %d nodes, %s, take %.1f %% of one processor, promised are at most %.0f",
                        NODES, circumstances, 100 * part(NODES), 100 * atMost));
    }

    private double nanos(int nodes) {
        return measured.median("readsAndLook " + nodes) - measured.median("reads " + nodes);
    }

    private double part(int nodes) {
        return nanos(nodes) / ReadGuard.LOOK_NANOS;
    }
}
