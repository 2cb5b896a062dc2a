// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.accuracy;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What the default limiter is promised to do, and the sentences about where it does not. */
final class Promises {
    private static final double FIRST_SECOND = 2;
    private static final int PLACES = 8;

    private final List<String> broken = new ArrayList<>();
    private final List<String> impossible = new ArrayList<>();

    /** Holds a row of the table to what is promised for it. */
    void check(Row row) {
        Scenario scenario = row.scenario;
        if (scenario.counter != Counter.DEFAULT) {
            return;
        }
        checkFirstSecond(row);
        if (scenario.limit < 10) {
            return;
        }
        double least = scenario.limit >= 100 ? 0.999 : 0.97;
        if (scenario.offered <= 0.9) {
            require(
                    row.admittedRatio >= least,
                    "%s: admits %.5f of all, promised %.3f",
                    scenario,
                    row.admittedRatio,
                    least);
        }
        if (scenario.offered >= 1.2) {
            require(
                    row.steady >= 0.9 && row.steady <= 1.1,
                    "%s: admits %.3f x the limit, promised 0.9 to 1.1",
                    scenario,
                    row.steady);
        }
    }

    private void checkFirstSecond(Row row) {
        // One operation at each replica before any can have heard of another: nobody can decide alone and avoid it.
        firstSecond(row, row.firstSecond * row.limit() <= row.scenario.replicas(), row.scenario.toString());
    }

    /**
     * Holds the first second to what is promised when a burst meets all replicas at the same instant.
     *
     * <p>For the least limits that contradicts the other promise, as long as replicas decide alone: 97 % of a Poisson
     * stream of 0.9 x the limit need eight operations of burst (a queue of deterministic service with fewer places
     * loses more), and three replicas have three bursts.
     */
    void checkBurst(Row row) {
        firstSecond(
                row,
                row.scenario.replicas() * PLACES > FIRST_SECOND * row.limit(),
                row.scenario + " and a burst at each replica at once");
    }

    private void firstSecond(Row row, boolean isOutOfReach, String what) {
        if (row.firstSecond <= FIRST_SECOND) {
            return;
        }
        (isOutOfReach ? impossible : broken)
                .add(String.format(
                        Locale.ROOT,
                        "%s: %.2f x the limit in the first second, promised at most %.0f",
                        what,
                        row.firstSecond,
                        FIRST_SECOND));
    }

    /** Holds a rate of a side experiment, in multiples of the limit, to at most so much. */
    void atMost(double most, double measured, String what) {
        require(measured <= most, "%s: %.3f x the limit, promised at most %.2f", what, measured, most);
    }

    private void require(boolean isKept, String sentence, Object... values) {
        if (!isKept) {
            broken.add(String.format(Locale.ROOT, sentence, values));
        }
    }

    /** A sentence for each promise that was not kept and cannot be while each replica decides alone. */
    List<String> impossible() {
        return List.copyOf(impossible);
    }

    /** A sentence for each other promise that was not kept. */
    List<String> broken() {
        return List.copyOf(broken);
    }
}
