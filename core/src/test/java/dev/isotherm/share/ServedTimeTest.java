// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.share;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.common.SplitMix64;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.RandomDistribution;
import org.junit.jupiter.api.Test;

class ServedTimeTest {
    /** Additions of operations that go on are those with less than this. */
    private static final double HALF = 0.75;

    /** An addition, or a decay where the partition is 0. */
    private static final class Step {
        final long partition;
        final long nanos;
        final double kept;

        Step(long partition, long nanos, double kept) {
            this.partition = partition;
            this.nanos = nanos;
            this.kept = kept;
        }
    }

    @Provide
    Arbitrary<List<Step>> steps() {
        // Few large ones among many: the smaller the number, the more often it comes.
        Arbitrary<Long> partition = Arbitraries.longs().between(0, 40).withDistribution(RandomDistribution.biased());
        return Combinators.combine(
                        partition,
                        Arbitraries.longs().between(16, 40_000_000),
                        Arbitraries.doubles().between(0.5, 1))
                .as(Step::new)
                .list()
                .ofMinSize(1)
                .ofMaxSize(400);
    }

    @Property(tries = 300, seed = "120")
    void holdsNoMoreThanWasServedAndLessByAnEighthAtMost(@ForAll("steps") List<Step> steps, @ForAll long seed) {
        ServedTime times = new ServedTime(ServedTime.WAYS, seed);
        Map<Long, Double> exact = new HashMap<>();
        double rounding = 16;
        double all = 0;
        for (Step step : steps) {
            if (step.partition == 0) {
                times.decay(step.kept);
                exact.replaceAll((partition, nanos) -> nanos * step.kept);
                all *= step.kept;
            } else {
                if (step.kept < HALF) {
                    times.addTime(step.partition, step.nanos);
                } else {
                    times.add(step.partition, step.nanos);
                }
                exact.merge(step.partition, (double) step.nanos, Double::sum);
                all += step.nanos;
            }
            rounding += 32;
        }
        double slack = rounding;
        double whole = all;
        exact.forEach((partition, nanos) -> {
            assertTrue(times.nanosOf(partition) <= nanos + 1e-3, partition + " holds too much");
            assertTrue(
                    nanos <= times.nanosOf(partition) + whole / ServedTime.WAYS + slack,
                    partition + " holds " + times.nanosOf(partition) + " of " + nanos);
        });
        assertTrue(Math.abs(times.totalNanos() - all) <= ServedTime.WAYS * slack, "the sum of all is kept");
    }

    @Test
    void aLargePartitionKeepsItsTimeAmongAMillionSmallOnes() {
        ServedTime times = new ServedTime(1024, 1);
        for (int i = 0; i < 1_000_000; i++) {
            times.add(SplitMix64.mix(i), 1_000);
            if (i % 10 == 0) {
                times.add(7, 4_000);
            }
            if (i % 10_000 == 0) {
                times.decay(0.9);
            }
        }
        double share = times.nanosOf(7) / (double) times.totalNanos();
        assertEquals(0.4 / 1.4, share, 0.01);
    }

    @Test
    void threadsThatAddAtOnceLoseNoTimeAndALargePartitionKeepsItsShare() throws Exception {
        ServedTime times = new ServedTime(1024, 1);
        int threads = 4;
        int additions = 200_000;
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        List<Future<?>> adding = new ArrayList<>();
        for (int thread = 0; thread < threads; thread++) {
            long first = thread * (long) additions;
            adding.add(pool.submit(() -> {
                for (long i = first; i < first + additions; i++) {
                    times.add(SplitMix64.mix(i), 1_024);
                    if (i % 10 == 0) {
                        times.add(7, 4_096);
                    }
                }
            }));
        }
        pool.shutdown();
        for (Future<?> each : adding) {
            each.get();
        }
        long small = threads * (long) additions * 1_024;
        long large = threads * (additions / 10) * 4_096L;
        assertEquals(small + large, times.totalNanos());
        assertEquals(large / (double) (small + large), times.nanosOf(7) / (double) times.totalNanos(), 0.01);
    }

    @Test
    void tellsInHowManyOperations() {
        ServedTime times = new ServedTime(64, 1);
        for (int i = 0; i < 1_000; i++) {
            times.add(3, 2_000_000);
        }
        times.addTime(3, 1_000_000);
        assertEquals(2_001_000_000, times.nanosOf(3), 16_000);
        times.forEach((partition, nanos, operations) -> assertEquals(1_000, operations, 0.01));
        times.addTime(3, -1_000_000);
        times.decay(0.5);
        times.forEach((partition, nanos, operations) -> assertEquals(500, operations, 0.1));
        assertEquals(1_000_500_000, times.nanosOf(3), 16_000);
    }

    @Test
    void forgetsWhoHoldsNothingAnyMore() {
        ServedTime times = new ServedTime(8, 1);
        times.add(3, 1_000);
        for (int i = 0; i < 20; i++) {
            times.decay(0.5);
        }
        times.forEach((partition, nanos, operations) -> {
            throw new AssertionError(partition + " is still there");
        });
        assertEquals(0, times.totalNanos());
    }

    @Test
    void takesNoTimeBelowNothing() {
        ServedTime times = new ServedTime(8, 1);
        times.add(1, -5);
        times.add(0, Long.MAX_VALUE);
        assertEquals(60_000_000_000L, times.totalNanos(), 16);
    }

    @Test
    void refusesAPartThatIsNone() {
        ServedTime times = new ServedTime(8, 1);
        for (double kept : new double[] {-0.1, 1.1, Double.NaN}) {
            assertThrows(IllegalArgumentException.class, () -> times.decay(kept));
        }
    }

    @Test
    void refusesANumberOfSlotsThatCannotBe() {
        assertThrows(IllegalArgumentException.class, () -> new ServedTime(7, 1));
        assertThrows(IllegalArgumentException.class, () -> new ServedTime((1 << 20) + 1, 1));
    }
}
