// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.balance;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;

/** The outcomes as a table in Markdown. */
final class BalanceTable {
    private BalanceTable() {}

    static void print(List<Outcome> outcomes, PrintStream out) {
        out.println();
        out.println(
                "Latencies in ms; p99 while down (or before), in the first 5 s, and from then on; reads lost: timed out"
                        + " or failed from the event on; highest load of a node over 5 s: disk / processors");
        out.println();
        out.println(
                "| scenario | nodes | policy | p99 down | first 5 s | after | mean after | lost | rejoined | load |");
        out.println("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |");
        Scenario last = null;
        for (Outcome outcome : outcomes) {
            Scenario scenario = outcome.scenario;
            boolean isNew = scenario != last;
            last = scenario;
            out.println(String.format(
                    Locale.ROOT,
                    "| %s | %s | %s | %.1f | %.1f | %.1f | %.2f | %d | %s | %.2f / %.2f |",
                    isNew ? scenario.name : "",
                    isNew ? "" + scenario.nodes : "",
                    outcome.policy,
                    outcome.downP99Millis,
                    outcome.firstP99Millis,
                    outcome.p99Millis,
                    outcome.meanMillis,
                    outcome.timedOut + outcome.failed,
                    rejoined(outcome),
                    outcome.highest(outcome.diskLoads),
                    outcome.highest(outcome.processorLoads)));
        }
        out.println();
    }

    private static String rejoined(Outcome outcome) {
        if (!outcome.scenario.canRejoin()) {
            return "";
        }
        return Double.isNaN(outcome.rejoinedSeconds)
                ? "never"
                : String.format(Locale.ROOT, "%.0f s", outcome.rejoinedSeconds);
    }
}
