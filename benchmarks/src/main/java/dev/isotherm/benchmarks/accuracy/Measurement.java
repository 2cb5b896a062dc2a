// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.accuracy;

/**
 * The duration of a scenario's simulation and the values read from it. The duration is long enough for ten thousand or
 * more admitted operations, as far as a budget of arrivals allows.
 */
final class Measurement {
    /** The most arrivals of one row, without those of the transient. */
    private static final double BUDGET = 12e6;

    private static final double WANTED = 40_000;
    private static final int MOST_SEEDS = 40;
    private static final int LEAST_SECONDS = 2;
    private static final int MOST_SECONDS = 100_000;
    /** From this rate on, in operations per second, all durations are as short as possible. */
    private static final double HUGE = 5e6;

    private final Scenario scenario;
    private final double perSecond;

    Measurement(Scenario scenario) {
        this.scenario = scenario;
        perSecond = scenario.offeredPerSecond();
    }

    /**
     * Seconds left out at the start. A bucket is in its steady state once its burst is spent, which takes a few seconds
     * at 1.2 times the limit; a halved counter halves the weight of its first operations each second.
     */
    int transientSeconds() {
        if (scenario.counter == Counter.HALVING) {
            return perSecond > HUGE ? 6 : 8;
        }
        return scenario.offered < 3 ? 8 : 2;
    }

    int steadySeconds() {
        double wanted = WANTED / (scenario.limit * Math.min(1, scenario.offered));
        return (int)
                Math.max(LEAST_SECONDS, Math.min(Math.max(10, Math.min(wanted, MOST_SECONDS)), BUDGET / perSecond));
    }

    /** The number of runs whose worst first second counts, including the run of the steady state. */
    int seeds() {
        return (int) Math.max(2, Math.min(MOST_SEEDS, BUDGET / perSecond));
    }

    /** Writes and reads get different arrivals: where both are decided in the same way, each checks the other. */
    private long seed(int number) {
        return 1_000L * scenario.kind.ordinal() + number;
    }

    Row measure() {
        Tally tally = new Simulation(scenario, seed(0)).run(transientSeconds() + steadySeconds());
        Row row = Row.of(scenario, tally, transientSeconds());
        double worst = row.firstSecond;
        for (int number = 1; number < seeds(); number++) {
            worst = Math.max(
                    worst,
                    (double) new Simulation(scenario, seed(number)).run(1).admitted(0, 1) / scenario.limit);
        }
        return new Row(scenario, row.steady, worst, row.admittedRatio);
    }
}
