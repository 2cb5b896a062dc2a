// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.guard;

import dev.isotherm.benchmarks.Measurements;
import dev.isotherm.guard.ReadGuard;
import java.io.PrintStream;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.results.RunResult;

/** The table of the cost of the guard's looks at the nodes that a coordinator reads from. */
public final class LookSummary {
    /** The promise: of one processor, where a coordinator reads from so many nodes. */
    private static final double AT_MOST = 0.02;

    private static final int NODES = 300;

    private final Measurements measured;

    public LookSummary(Collection<RunResult> results) {
        measured = new Measurements(results);
    }

    /** Prints the table and returns a sentence for each broken promise. */
    public List<String> print(PrintStream out) {
        out.println("The guard's looks, 100 a second, with a read under way to each node: in the median iteration");
        for (int nodes : new int[] {3, 30, NODES, 1000}) {
            out.printf(
                    "  %4d nodes %10.1f us a look, %.2f %% of one processor%n",
                    nodes, nanos(nodes) / 1e3, 100 * part(nodes));
        }
        return part(NODES) <= AT_MOST
                ? List.of()
                : List.of(String.format(
                        "looks at %d nodes take %.1f %% of one processor, promised are at most %.0f",
                        NODES, 100 * part(NODES), 100 * AT_MOST));
    }

    private double nanos(int nodes) {
        return measured.median("readsAndLook " + nodes) - measured.median("reads " + nodes);
    }

    private double part(int nodes) {
        return nanos(nodes) / ReadGuard.LOOK_NANOS;
    }
}
