// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.balance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Queues whose mean wait is known exactly, and what is special about a node's stations. */
class StationTest {
    private static final double SERVICE = 1e6;
    private static final int JOBS = 400_000;

    private final SplittableRandom random = new SplittableRandom(11);
    private final Events events = new Events();
    private double waited;
    private int jobs;

    private double exponential(double mean) {
        return -Math.log(1 - random.nextDouble()) * mean;
    }

    /** The mean wait, in service times. */
    private double meanWait(int servers, double load, LongSupplier service) {
        Station station = new Station(events, Runnable::run, servers, 1);
        double gap = SERVICE / (load * servers);
        double at = 0;
        for (int i = 0; i < JOBS; i++) {
            at += exponential(gap);
            events.at((long) at, () -> {
                long begun = events.now();
                long nanos = service.getAsLong();
                station.submit(nanos, () -> {
                    waited += events.now() - begun - nanos;
                    jobs++;
                });
            });
        }
        events.runUntil(Long.MAX_VALUE / 2);
        assertEquals(JOBS, jobs);
        return waited / JOBS / SERVICE;
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.3, 0.7, 0.85})
    void oneServerOfDeterministicServiceWaitsAsPollaczekAndKhinchineSay(double load) {
        double exact = load / (2 * (1 - load));
        assertEquals(exact, meanWait(1, load, () -> (long) SERVICE), 0.05 * exact);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.3, 0.7, 0.85})
    void oneServerOfExponentialServiceWaitsTwiceAsLong(double load) {
        double exact = load / (1 - load);
        assertEquals(exact, meanWait(1, load, () -> (long) exponential(SERVICE)), 0.05 * exact);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.3, 0.7, 0.85})
    void twoServersWaitAsErlangSays(double load) {
        // Erlang's C for two servers is 2 load^2 / (1 + load), the mean wait of those that wait 1 / (2 (1 - load)).
        double exact = 2 * load * load / (1 + load) / (2 * (1 - load));
        assertEquals(exact, meanWait(2, load, () -> (long) exponential(SERVICE)), 0.05 * exact);
    }

    @Test
    void aSlowerStationTakesLongerForWhatBeginsThen() {
        Station station = new Station(events, Runnable::run, 1, 10);
        long[] ended = new long[2];
        station.submit(100, () -> ended[0] = events.now());
        station.submit(100, () -> ended[1] = events.now());
        station.setSlowness(20);
        events.runUntil(10_000);
        assertEquals(100, ended[0]);
        assertEquals(2_100, ended[1]);
        assertEquals(2_100e-9, station.load(0, 1), 1e-12);
    }

    @Test
    void aHungStationBeginsNothingUntilItAnswersAgain() {
        Station station = new Station(events, Runnable::run, 1, 10);
        station.setSlowness(0);
        long[] ended = new long[1];
        station.submit(100, () -> ended[0] = events.now());
        events.runUntil(1_000);
        assertEquals(1, station.waiting());
        station.setSlowness(1);
        events.runUntil(2_000);
        assertEquals(1_100, ended[0]);
    }

    @Test
    void aServiceCountsInEachSecondThatItLasts() {
        Station station = new Station(events, Runnable::run, 1, 10);
        events.runUntil(Simulation.SECOND / 2);
        station.submit(2 * Simulation.SECOND, () -> {});
        assertEquals(0.5, station.load(0, 1), 1e-9);
        assertEquals(1, station.load(1, 2), 1e-9);
        assertEquals(0.5, station.load(2, 3), 1e-9);
    }
}
