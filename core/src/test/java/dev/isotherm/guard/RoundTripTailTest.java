// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RoundTripTailTest {
    /** The edges of what the histogram resolves. */
    private static final long LEAST = 1L << 16;

    private static final long MOST = 1L << 33;
    private static final int LAST_BUCKET = 67;
    private static final long MS = 1_000_000;
    private static final double A_SECOND = Math.exp(-1 / 60.0);

    private final RoundTripTail tail = new RoundTripTail();

    private void record(int times, long nanos) {
        for (int i = 0; i < times; i++) {
            tail.record(nanos);
        }
    }

    @Property(tries = 5_000, seed = "53")
    void aBucketsUpperEdgeIsAboveItsValuesByAQuarterAtMost(@ForAll @LongRange(min = LEAST, max = MOST - 1) long nanos) {
        int bucket = RoundTripTail.bucketOf(nanos);
        long edge = RoundTripTail.upperEdgeNanos(bucket);
        assertTrue(edge > nanos && edge <= 1.25 * nanos, edge + " for " + nanos);
        assertTrue(bucket == 0 || RoundTripTail.upperEdgeNanos(bucket - 1) <= nanos, "the bucket below ends before");
    }

    @Property(tries = 5_000, seed = "54")
    void aLongerRoundTripIsInNoLowerBucket(@ForAll long one, @ForAll long other) {
        long shorter = Math.min(one, other);
        long longer = Math.max(one, other);
        assertTrue(RoundTripTail.bucketOf(shorter) <= RoundTripTail.bucketOf(longer));
        assertTrue(RoundTripTail.bucketOf(longer) <= LAST_BUCKET && RoundTripTail.bucketOf(shorter) >= 0);
    }

    @Test
    void theBucketsFollowOneAnotherWithoutAGap() {
        for (int bucket = 0; bucket < LAST_BUCKET; bucket++) {
            long edge = RoundTripTail.upperEdgeNanos(bucket);
            assertEquals(bucket, RoundTripTail.bucketOf(edge - 1));
            assertEquals(bucket + 1, RoundTripTail.bucketOf(edge));
        }
        assertEquals(MOST, RoundTripTail.upperEdgeNanos(LAST_BUCKET));
        assertEquals(LAST_BUCKET, RoundTripTail.bucketOf(MOST));
        assertEquals(LAST_BUCKET, RoundTripTail.bucketOf(Long.MAX_VALUE));
        assertEquals(0, RoundTripTail.bucketOf(0));
        assertEquals(0, RoundTripTail.bucketOf(LEAST - 1));
    }

    /** Beside a sorted list: one answer in a hundred took longer, and the figure is at most a quarter too high. */
    @Property(tries = 300, seed = "55")
    void thePercentileIsTheListsAndAtMostAQuarterMore(@ForAll long seed) {
        RoundTripTail tail = new RoundTripTail();
        SplittableRandom random = new SplittableRandom(seed);
        int answers = random.nextInt(100, 5_000);
        double median = LEAST * Math.pow(2, 1 + 10 * random.nextDouble());
        double spread = 3 * random.nextDouble();
        long[] all = new long[answers];
        for (int i = 0; i < answers; i++) {
            double u = random.nextDouble() - 0.5;
            all[i] = Math.max(LEAST, Math.min(MOST - 1, (long) (median * Math.exp(spread * u / (0.6 - Math.abs(u))))));
            tail.record(all[i]);
        }
        tail.fold(1, 1, Long.MAX_VALUE);
        Arrays.sort(all);
        long exact = all[answers - 1 - answers / 100];
        assertTrue(tail.nanos() > exact && tail.nanos() <= 1.25 * exact, tail.nanos() + " for " + exact);
    }

    @Test
    void fewerThanAHundredAnswersTellNothing() {
        record(99, 5 * MS);
        tail.fold(1, 1, Long.MAX_VALUE);
        assertEquals(-1, tail.nanos());
        tail.fold(1, 1, Long.MAX_VALUE);
        assertEquals(-1, tail.nanos());
        record(1, 5 * MS);
        assertEquals(-1, tail.nanos(), "what is recorded counts from the next fold on");
        tail.fold(1, 1, Long.MAX_VALUE);
        assertEquals(RoundTripTail.upperEdgeNanos(RoundTripTail.bucketOf(5 * MS)), tail.nanos());
    }

    @Test
    void aHundredAnswersIgnoreTheLongestAndNoOther() {
        record(99, 5 * MS);
        record(1, 500 * MS);
        tail.fold(1, 1, Long.MAX_VALUE);
        assertEquals(RoundTripTail.upperEdgeNanos(RoundTripTail.bucketOf(5 * MS)), tail.nanos());
        record(1, 500 * MS);
        tail.fold(1, 1, Long.MAX_VALUE);
        assertEquals(RoundTripTail.upperEdgeNanos(RoundTripTail.bucketOf(500 * MS)), tail.nanos());
    }

    @Test
    void aQuietTimeTeachesNothing() {
        record(200, 5 * MS);
        tail.fold(1, 1, Long.MAX_VALUE);
        long known = tail.nanos();
        for (int second = 0; second < 1_000; second++) {
            tail.fold(A_SECOND, 1, Long.MAX_VALUE);
        }
        assertEquals(known, tail.nanos());
    }

    @Test
    void whatTakesTooLongToBeUsualIsKnownOfTheLastSecondsOnly() {
        record(200, 5 * MS);
        tail.fold(1, 1, Long.MAX_VALUE);
        long known = tail.nanos();
        record(10_000, 41 * MS);
        tail.fold(1, 1, 30 * MS);
        assertEquals(known, tail.nanos());
        assertEquals(RoundTripTail.upperEdgeNanos(RoundTripTail.bucketOf(41 * MS)), tail.recentNanos());
        record(10_000, 29 * MS);
        tail.fold(1, 1, 30 * MS);
        assertEquals(RoundTripTail.upperEdgeNanos(RoundTripTail.bucketOf(29 * MS)), tail.nanos());
    }

    /** After a minute the old answers count for e^-1 of what they were: their share is a hundredth after 275 s. */
    @Test
    void whatWasUsualFadesOverMinutes() {
        for (int second = 0; second < 600; second++) {
            record(100, 400 * MS);
            tail.fold(A_SECOND, 1, Long.MAX_VALUE);
        }
        int seconds = 0;
        while (tail.nanos() > 100 * MS) {
            record(100, 5 * MS);
            tail.fold(A_SECOND, 1, Long.MAX_VALUE);
            seconds++;
        }
        assertEquals(-60 * Math.log(0.01), seconds, 1.5);
    }

    /** As of a node that is overloaded for ten seconds: it was twenty times as quick before, and is after it. */
    @Test
    void whatWasUsualInHardSecondsIsForgottenInTenSecondsInWhichAllAreQuick() {
        seconds(60, 20 * MS);
        seconds(10, 400 * MS);
        assertEquals(edge(400 * MS), tail.nanos());
        seconds(9, 20 * MS);
        assertEquals(edge(400 * MS), tail.nanos());
        seconds(1, 20 * MS);
        assertEquals(edge(20 * MS), tail.nanos());
    }

    /** Twice the longest of the latest six hundred answers, which are read to the edge of a bucket. */
    @ParameterizedTest
    @CsvSource({"300, 300", "400, 400", "410, 170"})
    void ofHardSecondsStaysWhatTakesLessThanTwiceAsLong(long hardMillis, long usualMillis) {
        seconds(60, 20 * MS);
        seconds(10, hardMillis * MS);
        tenSecondsWith(10, 170 * MS);
        assertEquals(edge(usualMillis * MS), tail.nanos());
    }

    @Test
    void soIsItWhereFewAnswersAreLeft() {
        seconds(60, 20 * MS);
        seconds(10, 400 * MS);
        for (int second = 0; second < 599; second++) {
            record(1, 20 * MS);
            tail.fold(A_SECOND, 1, Long.MAX_VALUE);
        }
        assertEquals(edge(400 * MS), tail.nanos());
        record(1, 20 * MS);
        tail.fold(A_SECOND, 1, Long.MAX_VALUE);
        assertTrue(tail.nanos() < 3 * edge(20 * MS), tail.nanos() + " ns");
    }

    /** As of disks that are overloaded, where most reads hit a cache. */
    @Test
    void whatElevenInAHundredTookIsForgotten() {
        seconds(60, 20 * MS);
        tenSecondsWith(11, 400 * MS);
        assertEquals(edge(400 * MS), tail.nanos());
        seconds(10, 20 * MS);
        assertEquals(edge(20 * MS), tail.nanos());
    }

    /** What the replica took in an overload weighs as much as what it took in the ten seconds since. */
    @Test
    void whatReadsTakeLatelyIsNoLongerThanTheLongestOfTheLatest() {
        seconds(10, 400 * MS);
        seconds(9, 20 * MS);
        assertEquals(edge(400 * MS), tail.recentNanos());
        seconds(1, 20 * MS);
        assertEquals(edge(20 * MS), tail.recentNanos());
    }

    /** As of large partitions that are read now and then. */
    @Test
    void whatAFewOfManyTookStaysUsual() {
        seconds(60, 20 * MS);
        tenSecondsWith(10, 400 * MS);
        seconds(30, 20 * MS);
        assertEquals(edge(400 * MS), tail.nanos());
    }

    /** A hundred answers in each, of which so many take so long, and the others 20 ms. */
    private void tenSecondsWith(int slow, long nanos) {
        for (int second = 0; second < 10; second++) {
            record(100 - slow, 20 * MS);
            record(slow, nanos);
            tail.fold(A_SECOND, 1, Long.MAX_VALUE);
        }
    }

    /** A hundred answers in each. */
    private void seconds(int seconds, long nanos) {
        for (int second = 0; second < seconds; second++) {
            record(100, nanos);
            tail.fold(A_SECOND, 1, Long.MAX_VALUE);
        }
    }

    private static long edge(long nanos) {
        return RoundTripTail.upperEdgeNanos(RoundTripTail.bucketOf(nanos));
    }

    @Test
    void answersOfLittleWeightTeachLittle() {
        double weight = 0.05;
        for (int second = 0; second < 600; second++) {
            record(100, 5 * MS);
            tail.fold(A_SECOND, 1, Long.MAX_VALUE);
        }
        int seconds = 0;
        while (tail.nanos() < 100 * MS) {
            record(100, 400 * MS);
            tail.fold(1 - (1 - A_SECOND) * weight, weight, Long.MAX_VALUE);
            seconds++;
        }
        // Their share grows by a sixtieth of a twentieth each second, to a hundredth.
        assertEquals(0.01 * 60 / weight, seconds, 1.5);
    }

    @Test
    void fewerThanTwentyRecentAnswersTellNothing() {
        record(19, 5 * MS);
        tail.fold(1, 1, Long.MAX_VALUE);
        assertEquals(-1, tail.recentNanos());
        record(20, 5 * MS);
        tail.fold(1, 1, Long.MAX_VALUE);
        assertEquals(RoundTripTail.upperEdgeNanos(RoundTripTail.bucketOf(5 * MS)), tail.recentNanos());
        // 39 answers, of which after 7 s e^-0.7 are left: fewer than twenty.
        for (int second = 0; second < 7; second++) {
            assertTrue(tail.recentNanos() > 0, "after " + second + " s");
            tail.fold(1, 1, Long.MAX_VALUE);
        }
        assertEquals(-1, tail.recentNanos());
    }

    /** Of the last seconds is known at once what an avoided replica's answers teach little of. */
    @Test
    void recentAnswersCountInFullWhateverTheirWeight() {
        for (int second = 0; second < 600; second++) {
            record(100, 5 * MS);
            tail.fold(A_SECOND, 1, Long.MAX_VALUE);
        }
        record(100, 400 * MS);
        tail.fold(1, 0.05, Long.MAX_VALUE);
        assertTrue(tail.nanos() < 10 * MS && tail.recentNanos() > 400 * MS);
        int seconds = 0;
        while (tail.recentNanos() > 10 * MS && seconds < 100) {
            record(100, 5 * MS);
            tail.fold(1, 0.05, Long.MAX_VALUE);
            seconds++;
        }
        // A second in which all were slow is a tenth of what counts; after ten more the latest six hundred tell.
        assertEquals(10, seconds);
    }

    @Test
    void anAnswerAllocatesNothing() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().getId();
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 5; round++) {
            long before = threads.getThreadAllocatedBytes(thread);
            for (int i = 0; i < 20_000; i++) {
                tail.record(i * 1_000L);
            }
            tail.fold(A_SECOND, 1, Long.MAX_VALUE);
            least = Math.min(least, threads.getThreadAllocatedBytes(thread) - before);
        }
        assertEquals(0, least, "bytes in 20,000 answers");
    }
}
