// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.accuracy;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The promises of the default limiter, and the sentences about broken ones. */
final class Promises {
    private static final double FIRST_SECOND = 2;
    private static final int PLACES = 8;

    private final List<String> broken = new ArrayList<>();
    private final List<String> impossible = new ArrayList<>();

    /** Checks a row of the table against its promises. */
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
        // Each replica may admit one operation before it can hear of the others: replicas that decide alone cannot
        // avoid that.
        firstSecond(row, row.firstSecond * row.limit() <= row.scenario.replicas(), row.scenario.toString());
    }

    /**
     * Checks the promise of the first second for a burst that meets all replicas at the same instant.
     *
     * <p>For the lowest limits this promise contradicts the other, as long as replicas decide alone: to admit 97 % of a
     * Poisson stream of 0.9 x the limit takes a burst of eight operations (a queue of deterministic service with fewer
     * places loses more), and three replicas have three bursts.
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

    /** Checks that a rate of a side experiment, in multiples of the limit, is at most this much. */
    void atMost(double most, double measured, String what) {
        require(measured <= most, "%s: %.3f x the limit, promised at most %.2f", what, measured, most);
    }

    private void require(boolean isKept, String sentence, Object... values) {
        if (!isKept) {
            broken.add(String.format(Locale.ROOT, sentence, values));
        }
    }

    /** A sentence for each broken promise that cannot be kept while each replica decides alone. */
    List<String> impossible() {
        return List.copyOf(impossible);
    }

    /** A sentence for each other broken promise. */
    List<String> broken() {
        return List.copyOf(broken);
    }
}
