// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The reads beside a plain map, at instants around each edge of the clock and numbers around each edge of a place. */
class UnansweredReadsTest {
    private static final long UNIT = 1_024;
    private static final long START = 1L << 30;
    private static final long[] CLOCKS = {0, -40_000 * UNIT, Long.MAX_VALUE - 20_000 * UNIT, Long.MIN_VALUE, 1L << 54};
    private static final long[] NUMBERS = {0, (1L << 29) - 300, (1L << 32) - 300, Long.MAX_VALUE - 300, -300, 777_777};

    /** What is documented: of two reads whose numbers agree in the low bits only the earlier one is
     * remembered, unless its age is of no interest any more. */
    private static final class Model {
        final Map<Long, Long> sentAt = new HashMap<>();
        final Map<Long, Long> byPlace = new HashMap<>();

        void sent(long id, long most, long now) {
            long first = Math.floorMod(id, (long) UnansweredReads.PLACES);
            Long other = byPlace.get(first);
            if (other != null && sentAt.containsKey(other)) {
                if (Math.max(0, now - sentAt.get(other)) <= most) {
                    return;
                }
                sentAt.remove(other);
            }
            sentAt.put(id, now);
            byPlace.put(first, id);
        }

        long answered(long id, long now) {
            Long sent = sentAt.remove(id);
            return sent == null ? -1 : Math.max(0, now - sent);
        }

        long oldest(long now) {
            return sentAt.values().stream()
                    .mapToLong(sent -> Math.max(0, now - sent))
                    .max()
                    .orElse(-1);
        }

        long thirdOldest(long now) {
            return sentAt.values().stream()
                    .map(sent -> Math.max(0, now - sent))
                    .sorted(Comparator.reverseOrder())
                    .skip(2)
                    .findFirst()
                    .orElse(-1L);
        }

        long countOfAge(long least, long most, long now) {
            return sentAt.values().stream()
                    .mapToLong(sent -> Math.max(0, now - sent))
                    .filter(age -> age >= least && age <= most)
                    .count();
        }

        void giveUp(long age, long now) {
            sentAt.values().removeIf(sent -> Math.max(0, now - sent) >= age);
        }
    }

    private final List<Long> recent = new ArrayList<>();

    /** At instants that are whole units every figure is the map's. */
    @Property(tries = 400, seed = "51")
    void everyFigureIsTheMaps(@ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        UnansweredReads reads = new UnansweredReads();
        Model model = new Model();
        recent.clear();
        long now = (random.nextInt(6) == 0 ? random.nextLong() : CLOCKS[random.nextInt(CLOCKS.length)]) & -UNIT;
        long id = random.nextInt(6) == 0 ? random.nextLong() : NUMBERS[random.nextInt(NUMBERS.length)];
        int answersInHundred = random.nextInt(20, 70);
        for (int step = 0; step < 3_000; step++) {
            // A thread may come late with an instant that it read before: the clock also goes back.
            now += UNIT * (random.nextInt(20) == 0 ? -random.nextInt(20) : random.nextInt(1, 100));
            int kind = random.nextInt(100);
            if (kind < 3) {
                long age = UNIT * random.nextInt(1, 40_000);
                reads.giveUp(age, now);
                model.giveUp(age, now);
            } else if (kind < answersInHundred) {
                long answered = answeredNumber(random, id);
                assertEquals(model.answered(answered, now), reads.answered(answered, now));
            } else {
                // Other messages, and those to other nodes, take numbers too.
                id += random.nextInt(4) == 0 ? random.nextInt(200) : 1;
                long most = random.nextInt(4) == 0 ? UNIT * random.nextInt(40_000) : Long.MAX_VALUE;
                reads.sent(id, most, now);
                model.sent(id, most, now);
                recent.add(id);
            }
            assertEquals(model.sentAt.size(), reads.count());
            if (random.nextInt(10) == 0) {
                long least = UNIT * random.nextInt(-5, 20_000);
                long most = least + UNIT * random.nextInt(20_000);
                assertEquals(model.oldest(now), reads.oldestNanos(now));
                assertEquals(model.thirdOldest(now), reads.thirdOldestNanos(now));
                assertEquals(model.countOfAge(least, most, now), reads.countOfAge(least, most, now));
            }
        }
    }

    /** One of the last reads, answered before or not; or a number that was never sent. */
    private long answeredNumber(SplittableRandom random, long id) {
        if (recent.isEmpty() || random.nextInt(10) == 0) {
            return id + UnansweredReads.PLACES * (long) random.nextInt(-2, 3) + random.nextInt(1, 5);
        }
        return recent.get(Math.max(0, recent.size() - 1 - random.nextInt(700)));
    }

    /** At any other instant an age is less than three units below the true one, and never above. */
    @Property(tries = 2_000, seed = "52")
    void noReadSeemsOlderThanItIsAndHardlyYounger(@ForAll long id, @ForAll long sentNanos, @ForAll long age) {
        // A hundred days: beyond, half the range of the stored instants is passed.
        long truly = Math.floorMod(age, 100L * 86_400 * 1_000_000_000);
        UnansweredReads reads = new UnansweredReads();
        reads.sent(id, 0, sentNanos);
        long now = sentNanos + truly;
        long oldest = reads.oldestNanos(now);
        assertTrue(oldest >= 0 && oldest <= truly && oldest > truly - 3 * UNIT, oldest + " for " + truly);
        assertEquals(1, reads.countOfAge(truly - 3 * UNIT, truly, now));
        assertEquals(0, reads.countOfAge(truly + 1, Long.MAX_VALUE, now));
        assertEquals(oldest, reads.answered(id, now));
    }

    /** The number 0 at the instant 0 is a read like any other. */
    @ParameterizedTest
    @ValueSource(longs = {0, 1, UNIT - 1, Long.MIN_VALUE, 1L << 54, -1L << 54})
    void theReadWhoseNumberAndInstantAreNothingIsARead(long instant) {
        UnansweredReads reads = new UnansweredReads();
        reads.sent(0, 0, instant);
        assertEquals(1, reads.count());
        assertEquals(0, reads.oldestNanos(instant));
        assertEquals(10 * UNIT, reads.answered(0, instant + 10 * UNIT), UNIT);
        assertEquals(0, reads.count());
        assertEquals(-1, reads.answered(0, instant));
    }

    @Test
    void aReadAnsweredTwiceIsAnsweredOnce() {
        UnansweredReads reads = new UnansweredReads();
        reads.sent(7, 0, START);
        assertEquals(UNIT, reads.answered(7, START + UNIT));
        assertEquals(-1, reads.answered(7, START + UNIT));
        assertEquals(0, reads.count());
    }

    @Test
    void anAnswerBeforeItsReadIsNone() {
        UnansweredReads reads = new UnansweredReads();
        assertEquals(-1, reads.answered(7, START));
        reads.sent(7, 0, START);
        assertEquals(1, reads.count());
    }

    @Test
    void aNumberThatIsUsedAgainIsTheLaterRead() {
        UnansweredReads reads = new UnansweredReads();
        reads.sent(7, 0, START);
        reads.sent(7, 0, START + 5 * UNIT);
        assertEquals(1, reads.count());
        assertEquals(UNIT, reads.answered(7, START + 6 * UNIT));
        assertEquals(0, reads.count());
    }

    /** At 100,000 messages a second 512 of them take 5 ms: the read that waits for longer must not be lost. */
    @Test
    void theEarlierOfTwoReadsInAPlaceIsRememberedAndTheAnswerToTheLaterChangesNothing() {
        UnansweredReads reads = new UnansweredReads();
        reads.sent(7, 0, START);
        reads.sent(7 + UnansweredReads.PLACES, 5 * UNIT, START + 5 * UNIT);
        assertEquals(1, reads.count());
        assertEquals(-1, reads.answered(7 + UnansweredReads.PLACES, START + 6 * UNIT));
        assertEquals(6 * UNIT, reads.answered(7, START + 6 * UNIT));
        assertEquals(0, reads.count());
    }

    @Test
    void aReadOfNoInterestAnyMoreLeavesItsPlaceToTheNext() {
        UnansweredReads reads = new UnansweredReads();
        reads.sent(7, 0, START);
        reads.sent(7 + UnansweredReads.PLACES, 4 * UNIT, START + 5 * UNIT);
        assertEquals(1, reads.count());
        assertEquals(-1, reads.answered(7, START + 6 * UNIT));
        assertEquals(UNIT, reads.answered(7 + UnansweredReads.PLACES, START + 6 * UNIT));
        assertEquals(0, reads.count());
    }

    @Test
    void allPlacesCanBeFull() {
        UnansweredReads reads = new UnansweredReads();
        for (int id = 0; id < 3 * UnansweredReads.PLACES; id++) {
            reads.sent(id, UnansweredReads.PLACES * UNIT - UNIT, START + id * UNIT);
            assertEquals(Math.min(id + 1, UnansweredReads.PLACES), reads.count());
        }
        long now = START + 3 * UnansweredReads.PLACES * UNIT;
        assertEquals(UnansweredReads.PLACES, reads.countOfAge(0, Long.MAX_VALUE, now));
        assertEquals(UnansweredReads.PLACES * UNIT, reads.oldestNanos(now));
        reads.giveUp(0, now);
        assertEquals(0, reads.count());
    }

    @Test
    void aReadAllocatesNothing() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().getId();
        UnansweredReads reads = new UnansweredReads();
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 5; round++) {
            long before = threads.getThreadAllocatedBytes(thread);
            for (int i = 0; i < 20_000; i++) {
                reads.sent(i, 500 * UNIT, i * UNIT);
                reads.answered(i - i % 3, i * UNIT);
                if (i % 1_000 == 0) {
                    reads.giveUp(500 * UNIT, i * UNIT);
                    reads.countOfAge(0, UNIT, i * UNIT);
                    reads.oldestNanos(i * UNIT);
                }
            }
            least = Math.min(least, threads.getThreadAllocatedBytes(thread) - before);
        }
        assertEquals(0, least, "bytes in 20,000 reads");
    }
}
