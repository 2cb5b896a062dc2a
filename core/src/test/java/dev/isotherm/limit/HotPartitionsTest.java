// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.isotherm.common.Workers;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class HotPartitionsTest {
    private static final long SECOND = 1_000_000_000L;

    private static final class Line {
        final String name;
        final double reads;
        final double writes;
        final double rejected;

        Line(String name, double reads, double writes, double rejected) {
            this.name = name;
            this.reads = reads;
            this.writes = writes;
            this.rejected = rejected;
        }
    }

    private static List<Line> shown(HotPartitions<String, Long> hot) {
        List<Line> lines = new ArrayList<>();
        hot.forEach((group, key, reads, writes, rejected, byKey) ->
                lines.add(new Line(group + key, reads, writes, rejected)));
        return lines;
    }

    private static Verdict rejectedIf(boolean rejected) {
        return rejected ? Verdict.OVER_TABLE_LIMIT : Verdict.ADMITTED;
    }

    @Test
    void whatIsRejectedIsToldByItsLimit() {
        HotPartitions<String, Long> hot = new HotPartitions<>(8, 1, 7);
        for (int i = 0; i < 90; i++) {
            Verdict verdict = Verdict.values()[i % 3];
            hot.seen(1, Operation.WRITE, i < 60 ? verdict : Verdict.OVER_KEY_LIMIT, i, "t", 1L);
        }
        hot.tick(0);
        List<String> rates = new ArrayList<>();
        hot.forEach((group, key, reads, writes, rejected, byKey) ->
                rates.add(reads + " " + writes + " " + rejected + " " + byKey));
        assertEquals(List.of("0.0 20.0 70.0 50.0"), rates);
    }

    @Test
    void ratesAreThoseOfTheSampleHottestFirst() {
        HotPartitions<String, Long> hot = new HotPartitions<>(64, 8, 7);
        SplittableRandom random = new SplittableRandom(1);
        for (int second = 0; second <= 20; second++) {
            for (int i = 0; i < 20_000; i++) {
                if (i < 3_000) {
                    hot.seen(11, Operation.READ, Verdict.ADMITTED, random.nextInt(), "t", 11L);
                }
                if (i < 1_000) {
                    hot.seen(11, Operation.WRITE, Verdict.ADMITTED, random.nextInt(), "t", 11L);
                }
                hot.seen(22, Operation.READ, rejectedIf(i >= 5_000), random.nextInt(), "t", 22L);
                if (i < 800) {
                    hot.seen(33, Operation.WRITE, rejectedIf(i % 2 == 0), random.nextInt(), "u", 33L);
                }
            }
            hot.tick(second * SECOND);
        }
        List<Line> lines = shown(hot);
        assertEquals(List.of("t22", "t11", "u33"), List.of(lines.get(0).name, lines.get(1).name, lines.get(2).name));
        assertEquals(3, lines.size());
        assertLine(5_000, 0, 15_000, lines.get(0));
        assertLine(3_000, 1_000, 0, lines.get(1));
        assertLine(0, 400, 400, lines.get(2));
    }

    /** One in eight operations is sampled, over effectively 2 x 3 s: five standard deviations. */
    private static void assertLine(double reads, double writes, double rejected, Line line) {
        assertEquals(reads, line.reads, 5 * Math.sqrt(reads * 8 / 6));
        assertEquals(writes, line.writes, 5 * Math.sqrt(writes * 8 / 6));
        assertEquals(rejected, line.rejected, 5 * Math.sqrt(rejected * 8 / 6));
    }

    @Test
    void theFirstTickIsRightAlreadyAndOldRatesFadeWithTheTimeConstant() {
        HotPartitions<String, Long> hot = new HotPartitions<>(8, 1, 7);
        hot.tick(100 * SECOND);
        for (int i = 0; i < 900; i++) {
            hot.seen(1, Operation.READ, Verdict.ADMITTED, i, "t", 1L);
        }
        hot.tick(102 * SECOND);
        assertEquals(450, shown(hot).get(0).reads, 1e-9);
        hot.tick(102 * SECOND);
        hot.tick(101 * SECOND);
        assertEquals(450, shown(hot).get(0).reads, 1e-9, "a clock that stands still or goes back changes nothing");
        hot.tick(105 * SECOND);
        // After three more seconds: the average of the two seconds weighs (1 - e^(-2/3)) e^-1 of (1 - e^(-5/3)).
        assertEquals(
                450 * (1 - Math.exp(-2 / 3.0)) * Math.exp(-1) / (1 - Math.exp(-5 / 3.0)),
                shown(hot).get(0).reads,
                1e-9);
    }

    @Test
    void whoCoolsDownLosesTheSlotAndIsNotHeldOnTo() {
        HotPartitions<Object, Object> hot = new HotPartitions<>(8, 1, 7);
        WeakReference<Object> key = new WeakReference<>(new Object());
        for (int i = 0; i < 100; i++) {
            hot.seen(1, Operation.READ, Verdict.ADMITTED, i, "t", key.get());
        }
        for (int second = 1; second <= 60; second++) {
            hot.tick(second * SECOND);
        }
        hot.forEach((group, k, reads, writes, rejected, byKey) -> assertTrue(false, "still there"));
        for (int i = 0; i < 100 && key.get() != null; i++) {
            System.gc();
        }
        assertNull(key.get());
        hot.tick(61 * SECOND);
    }

    @Test
    void aStreamOfColdPartitionsDoesNotFlushTheHot() {
        HotPartitions<String, Long> hot = new HotPartitions<>(64, 1, 7);
        SplittableRandom random = new SplittableRandom(2);
        for (int second = 1; second <= 5; second++) {
            for (int i = 0; i < 100_000; i++) {
                long partition = i % 100 == 0 ? i / 100 % 10 : 1_000 + random.nextInt(1_000_000);
                hot.seen(partition, Operation.READ, Verdict.ADMITTED, random.nextInt(), "t", partition);
            }
            hot.tick(second * SECOND);
        }
        List<Line> lines = shown(hot);
        for (int i = 0; i < 10; i++) {
            assertTrue(
                    lines.get(i).name.length() == 2, "the ten hottest are the ten hot ones, not " + lines.get(i).name);
            assertEquals(100, lines.get(i).reads, 20);
        }
        assertTrue(lines.size() <= 64);
    }

    /** The limiter decides by the same random number and rejects the high ones. */
    @Test
    void theSampleHasNothingToDoWithTheDecision() {
        HotPartitions<String, Long> hot = new HotPartitions<>(8, 16, 7);
        SplittableRandom random = new SplittableRandom(3);
        for (int i = 0; i < 1_000_000; i++) {
            int bits = random.nextInt();
            hot.seen(1, Operation.READ, rejectedIf((bits & 0xFFFFFFFFL) > 0x10000000L), bits, "t", 1L);
        }
        hot.tick(SECOND);
        Line line = shown(hot).get(0);
        assertEquals(1 / 16.0, line.reads / (line.reads + line.rejected), 0.005);
    }

    private static void seenByFourThreads(HotPartitions<String, Long> hot, int times) throws Exception {
        Workers.run(4, worker -> {
            for (int i = 0; i < times; i++) {
                hot.seen(i % 4, Operation.READ, Verdict.ADMITTED, i, "t", (long) (i % 4));
            }
        });
    }

    @Test
    void eachPartitionHasOneSlotWhicheverThreadsClaimIt() throws Exception {
        for (int round = 0; round < 50; round++) {
            HotPartitions<String, Long> hot = new HotPartitions<>(64, 1, 7);
            seenByFourThreads(hot, 8_000);
            hot.tick(SECOND);
            assertEquals(4, shown(hot).size());
        }
    }

    /** Those that arrive while a slot is claimed may be missed: here the slots are claimed. */
    @Test
    void nothingIsLostBetweenManyThreads() throws Exception {
        for (int round = 0; round < 50; round++) {
            HotPartitions<String, Long> hot = new HotPartitions<>(64, 1, 7);
            for (long partition = 0; partition < 4; partition++) {
                hot.seen(partition, Operation.READ, Verdict.ADMITTED, 0, "t", partition);
            }
            seenByFourThreads(hot, 8_000);
            hot.tick(SECOND);
            for (Line line : shown(hot)) {
                assertEquals(8_001, line.reads, 1e-6);
            }
        }
    }

    @Test
    void whatIsShownBelongsTogetherWhateverHappensMeanwhile() throws Exception {
        HotPartitions<Long, Long> hot = new HotPartitions<>(8, 1, 7);
        Workers.run(4, worker -> {
            SplittableRandom random = new SplittableRandom(worker);
            for (int i = 0; i < 50_000; i++) {
                if (worker == 0) {
                    hot.tick(i * SECOND);
                } else if (worker == 1) {
                    hot.forEach((group, key, reads, writes, rejected, byKey) -> {
                        assertEquals(group, key);
                        assertTrue(reads >= 0 && writes == 0 && rejected == 0);
                    });
                } else {
                    long partition = random.nextInt(200);
                    hot.seen(partition, Operation.READ, Verdict.ADMITTED, random.nextInt(), partition, partition);
                }
            }
        });
    }

    @Test
    void seeingAllocatesNothing() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().getId();
        HotPartitions<String, Long> hot = new HotPartitions<>(64, 2, 7);
        Long key = 5L;
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 5; round++) {
            long before = threads.getThreadAllocatedBytes(thread);
            for (int i = 0; i < 20_000; i++) {
                hot.seen(i % 300, Operation.WRITE, rejectedIf(i % 3 == 0), i * 0x9E3779B9, "t", key);
            }
            least = Math.min(least, threads.getThreadAllocatedBytes(thread) - before);
        }
        assertEquals(0, least, "bytes in 20,000 calls");
    }

    @Test
    void whetherAnOperationIsInTheSampleIsKnownBefore() {
        HotPartitions<String, Long> hot = new HotPartitions<>(8, 4, 7);
        int sampled = 0;
        for (int i = 0; i < 1_000; i++) {
            sampled += hot.isSampled(i) ? 1 : 0;
            hot.seen(1, Operation.READ, Verdict.ADMITTED, i, "t", 1L);
        }
        hot.tick(SECOND);
        assertEquals(sampled * 4, shown(hot).get(0).reads, 1e-9);
        assertEquals(250, sampled, 50);
    }

    @Test
    void whatHasNoRateYetIsNotShown() {
        HotPartitions<String, Long> hot = new HotPartitions<>(8, 1, 7);
        hot.seen(1, Operation.READ, Verdict.ADMITTED, 0, "t", 1L);
        assertEquals(List.of(), shown(hot));
        hot.tick(SECOND);
        assertEquals(1, shown(hot).size());
    }

    /** 1,024 partitions of 4,096 slots: few sets of eight have more than eight. */
    @Test
    void partitionsWithNumbersInARowAreSpreadOverAllSlots() {
        HotPartitions<String, Long> hot = new HotPartitions<>(1 << 12, 1, 7);
        for (long partition = 0; partition < 1 << 10; partition++) {
            hot.seen(partition, Operation.READ, Verdict.ADMITTED, (int) partition, "t", partition);
        }
        hot.tick(SECOND);
        assertTrue(shown(hot).size() > 1_015, shown(hot).size() + " of 1,024");
    }

    @Test
    void aNewcomerTakesASlotOfWeightOneEverySecondTime() {
        SplittableRandom random = new SplittableRandom(4);
        int taken = 0;
        for (int i = 0; i < 4_000; i++) {
            HotPartitions<String, Long> hot = new HotPartitions<>(8, 1, 7);
            for (long partition = 1; partition <= 8; partition++) {
                hot.seen(partition, Operation.READ, Verdict.ADMITTED, random.nextInt(), "t", partition);
            }
            hot.seen(9, Operation.READ, Verdict.ADMITTED, random.nextInt(), "t", 9L);
            hot.tick(SECOND);
            taken += shown(hot).stream().anyMatch(line -> line.name.equals("t9")) ? 1 : 0;
        }
        assertEquals(2_000, taken, 5 * Math.sqrt(1_000));
    }

    @Test
    void sizesAreChecked() {
        assertThrows(IllegalArgumentException.class, () -> new HotPartitions<String, Long>(7, 1, 7));
        assertThrows(IllegalArgumentException.class, () -> new HotPartitions<String, Long>((1 << 20) + 1, 1, 7));
        assertThrows(IllegalArgumentException.class, () -> new HotPartitions<String, Long>(8, 0, 7));
    }
}
