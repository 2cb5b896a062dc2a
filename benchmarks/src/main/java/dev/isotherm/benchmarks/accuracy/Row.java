// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.accuracy;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Locale;

/** The results of one scenario: a row of the table. All rates are in multiples of the limit. */
final class Row {
    @JsonIgnore
    final Scenario scenario;
    /** Admitted per second once the transient is over. */
    @JsonProperty
    final double steady;
    /** Admitted in the first second after idleness: the worst of several runs. */
    @JsonProperty("first_second")
    final double firstSecond;
    /** The fraction of the operations that was admitted once the transient is over. */
    @JsonProperty("admitted_ratio")
    final double admittedRatio;

    Row(Scenario scenario, double steady, double firstSecond, double admittedRatio) {
        this.scenario = scenario;
        this.steady = rounded(steady);
        this.firstSecond = rounded(firstSecond);
        this.admittedRatio = rounded(admittedRatio);
    }

    /** The results of one run; the seconds before fromSecond are its transient. */
    static Row of(Scenario scenario, Tally tally, int fromSecond) {
        int to = tally.seconds();
        double admitted = tally.admitted(fromSecond, to);
        return new Row(
                scenario,
                admitted / (to - fromSecond) / scenario.limit,
                (double) tally.admitted(0, 1) / scenario.limit,
                admitted / tally.offered(fromSecond, to));
    }

    @JsonProperty
    int limit() {
        return scenario.limit;
    }

    @JsonProperty
    String arrivals() {
        return scenario.arrivals.name().toLowerCase(Locale.ROOT);
    }

    @JsonProperty
    double offered() {
        return scenario.offered;
    }

    @JsonProperty
    String kind() {
        return scenario.kind.name().toLowerCase(Locale.ROOT);
    }

    @JsonProperty
    String counter() {
        return scenario.counter.name().toLowerCase(Locale.ROOT);
    }

    private static double rounded(double value) {
        return Math.round(value * 1e5) / 1e5;
    }
}
