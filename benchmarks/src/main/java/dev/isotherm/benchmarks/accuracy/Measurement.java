// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.accuracy;

/**
 * How long a scenario is simulated, and what is read off: long enough for ten thousand and more
 * admitted operations, as far as a budget of arrivals allows.
 */
final class Measurement {
    /** Arrivals of one row at most, but for what the transient takes. */
    private static final double BUDGET = 12e6;

    private static final double WANTED = 40_000;
    private static final int MOST_SEEDS = 40;
    private static final int LEAST_SECONDS = 2;
    private static final int MOST_SECONDS = 100_000;
    /** From this rate on, operations per second, all is kept as short as can be. */
    private static final double HUGE = 5e6;

    private final Scenario scenario;
    private final double perSecond;

    Measurement(Scenario scenario) {
        this.scenario = scenario;
        perSecond = scenario.offeredPerSecond();
    }

    /**
     * Seconds left out at the start. A bucket is in its steady state when its burst is spent, which at 1.2 times the
     * limit takes a few seconds; what a halved counter has seen at first counts half as much each second.
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

    /** How many runs the first second is the worst of, the one with the steady state included. */
    int seeds() {
        return (int) Math.max(2, Math.min(MOST_SEEDS, BUDGET / perSecond));
    }

    /** Writes and reads get other arrivals: where the two are decided alike, each is a check of the other. */
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
