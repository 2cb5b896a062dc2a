// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.accuracy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The possible errors of the simulation: lost arrivals, lost or too fast messages, and a queue whose loss is known
 * exactly.
 */
class SimulationTest {
    private final List<ExactBucket> buckets = new ArrayList<>();

    private Simulation simulation(Scenario scenario, long seed, int places) {
        return new Simulation(scenario, seed, (bytes, hashSeed) -> {
            ExactBucket bucket = new ExactBucket(places);
            buckets.add(bucket);
            return bucket;
        });
    }

    private static Scenario scenario(int limit, Arrivals arrivals, double offered) {
        return new Scenario(limit, arrivals, offered, Kind.WRITE, Counter.DEFAULT);
    }

    @ParameterizedTest
    @CsvSource({"0.5, 3", "0.9, 8", "0.9, 3", "1.2, 5", "2, 4"})
    void rejectsWhatAQueueOfDeterministicServiceLoses(double load, int places) {
        int seconds = (int) (400_000 / (100 * load));
        Tally tally = simulation(scenario(100, Arrivals.POISSON, load).withEntry(Entry.ONE_REPLICA), 1, places)
                .run(seconds);
        double lost = 1 - (double) tally.admitted(0, seconds) / tally.offered(0, seconds);
        assertEquals(lossOfQueue(load, places), lost, 0.03 * lossOfQueue(load, places) + 1e-4);
    }

    /**
     * The exact loss of M/D/1/K. The stationary distribution of the queue at departures, by the recursion over the
     * Poisson arrivals of one service, gives the probability that an arrival finds all places taken.
     */
    private static double lossOfQueue(double load, int places) {
        double[] arrivals = new double[places + 1];
        arrivals[0] = Math.exp(-load);
        for (int j = 1; j <= places; j++) {
            arrivals[j] = arrivals[j - 1] * load / j;
        }
        double[] left = new double[places];
        left[0] = 1;
        for (int j = 0; j + 1 < places; j++) {
            double next = left[j] - left[0] * arrivals[j];
            for (int i = 1; i <= j; i++) {
                next -= left[i] * arrivals[j - i + 1];
            }
            left[j + 1] = next / arrivals[0];
        }
        double sum = 0;
        for (double part : left) {
            sum += part;
        }
        return 1 - 1 / (left[0] / sum + load);
    }

    @Test
    void knowsTheLossOfASingleServer() {
        // M/D/1/1 is Erlang's loss system: load / (1 + load) for any service.
        assertEquals(0.9 / 1.9, lossOfQueue(0.9, 1), 1e-12);
    }

    @ParameterizedTest
    @EnumSource(Arrivals.class)
    void everyOperationIsOfferedOnceAndAdmittedOrRejected(Arrivals arrivals) {
        Tally tally = simulation(scenario(100, arrivals, 5).withBurst(2), 7, 50).run(20);
        long admitted = buckets.stream().mapToLong(bucket -> bucket.admitted).sum();
        long rejected = buckets.stream().mapToLong(bucket -> bucket.rejected).sum();
        assertEquals(tally.offered(0, 20), admitted + rejected);
        assertEquals(tally.admitted(0, 20), admitted);
        assertEquals(5 * 100 * 20 + 3 * 200, tally.offered(0, 20), arrivals == Arrivals.CONSTANT ? 1 : 500);
        // Each coordinator gets the same number of operations.
        for (ExactBucket bucket : buckets) {
            assertEquals(tally.offered(0, 20) / 3.0, bucket.admitted + bucket.rejected, 250);
        }
    }

    @ParameterizedTest
    @CsvSource({"1", "100", "10000"})
    void everyOtherReplicaIsToldOfEachAdmissionOnce(int limit) {
        simulation(scenario(limit, Arrivals.POISSON, 3), 3, Math.max(1, limit / 2))
                .run(10);
        long admitted = buckets.stream().mapToLong(bucket -> bucket.admitted).sum();
        assertTrue(admitted > 8L * limit, admitted + " admitted");
        for (ExactBucket bucket : buckets) {
            assertEquals(admitted - bucket.admitted, bucket.accounted, 1e-6);
        }
    }

    @Test
    void whatIsToldTakesItsTime() {
        // One replica gets two operations; the others receive the report after a thread's wake-up and a message's
        // delay.
        Scenario scenario = scenario(1, Arrivals.CONSTANT, 0.4).withEntry(Entry.ONE_REPLICA);
        simulation(scenario, 5, 1).run(5);
        List<Long> admittedAt = buckets.get(0).admittedAt;
        assertEquals(2, admittedAt.size());
        for (int i = 1; i < 3; i++) {
            List<Long> told = buckets.get(i).accountedAt;
            assertEquals(2, told.size());
            // The replicas' clocks differ by a constant, the two delays by at most the jitter.
            long between = told.get(1) - told.get(0) - (admittedAt.get(1) - admittedAt.get(0));
            assertTrue(Math.abs(between) < 300_000, between + " ns");
        }
    }

    @Test
    void replicasThatDecideAloneAgreeWhenNothingIsRejected() {
        Tally tally = simulation(scenario(100, Arrivals.POISSON, 0.1).withEntry(Entry.NO_REPLICA), 2, 100)
                .run(20);
        assertEquals(tally.offered(0, 20), tally.decidedByReplicas());
        assertEquals(tally.offered(0, 20), tally.appliedSomewhere());
        assertEquals(0, tally.disagreements());
        for (ExactBucket bucket : buckets) {
            assertEquals(tally.offered(0, 20), bucket.admitted);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"READ_QUORUM", "READ_ONE"})
    void everyBucketSeesAWholeOperationOfAReadThatAsksFew(Kind kind) {
        Scenario scenario = new Scenario(100, Arrivals.POISSON, 0.5, kind, Counter.DEFAULT).withEntry(Entry.NO_REPLICA);
        Tally tally = simulation(scenario, 2, 100).run(20);
        for (ExactBucket bucket : buckets) {
            assertEquals(
                    tally.offered(0, 20),
                    bucket.admitted / (double) kind.contacts(3) + bucket.accounted,
                    0.01 * tally.offered(0, 20));
        }
    }

    @Test
    void theSameSeedRepeatsARunAndAnotherDoesNot() {
        Scenario scenario = scenario(10, Arrivals.POISSON, 2);
        Tally first = new Simulation(scenario, 11).run(50);
        assertEquals(first.offered(0, 50), new Simulation(scenario, 11).run(50).offered(0, 50));
        assertEquals(first.admitted(0, 50), new Simulation(scenario, 11).run(50).admitted(0, 50));
        assertTrue(first.offered(0, 50) != new Simulation(scenario, 12).run(50).offered(0, 50));
        Simulation again = new Simulation(scenario, 11);
        again.run(1);
        assertThrows(IllegalStateException.class, () -> again.run(1));
    }
}
