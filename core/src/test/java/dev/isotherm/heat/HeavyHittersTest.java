// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class HeavyHittersTest {
    private static final long HEAVY = 7;
    private static final int PARTITIONS = 6_400;
    /** The counted reads of a whole window, of which one in eight is counted. */
    private static final int WINDOW = 8 * 4_096;

    private final HeavyHitters hitters = new HeavyHitters();

    /** Reads, of which one partition gets that part; returns how many of its own were found heavy, and of others. */
    private int[] found(int reads, double part, int others, SplittableRandom random) {
        int[] found = new int[2];
        for (int read = 0; read < reads; read++) {
            boolean heavy = random.nextDouble() < part;
            long partition = heavy ? HEAVY : 1_000 + random.nextInt(others);
            if (hitters.saw(partition, random.nextInt())) {
                found[heavy ? 0 : 1]++;
            }
        }
        return found;
    }

    /** Of a thousand reads; heavy are those with 16 or more. */
    @Property(seed = "131", tries = 100)
    void twiceThePartIsAlwaysHeavyOnceAWindowIsFull(
            @ForAll @IntRange(min = 32, max = 1_000) int ofAThousand, @ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        double part = ofAThousand / 1_000.0;
        found(WINDOW, part, PARTITIONS, random);
        int[] found = found(1_000, part, PARTITIONS, random);
        assertEquals(part * 1_000, found[0], 5 * Math.sqrt(part * 1_000 * (1 - part)) + 1);
    }

    @Property(seed = "132", tries = 100)
    void aQuarterOfThePartIsNot(
            @ForAll @IntRange(min = 0, max = 4) int ofAThousand,
            @ForAll @IntRange(min = 1_000, max = 100_000) int others,
            @ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        found(WINDOW, ofAThousand / 1_000.0, others, random);
        assertEquals(0, found(WINDOW, ofAThousand / 1_000.0, others, random)[0]);
    }

    /** One of a thousand cells is that of the heavy one too. */
    @Property(seed = "133", tries = 50)
    void besideOneThatIsHeavyAFewInAThousandOfTheOthersAre(@ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int others = found(2 * WINDOW, 0.3, PARTITIONS, random)[1];
        assertTrue(others <= 0.005 * 0.7 * 2 * WINDOW, others + " reads");
    }

    @Property(seed = "134", tries = 50)
    void ofFewReadsNoneOfManyPartitionsIs(@ForAll @IntRange(min = 1, max = 8 * 500) int reads, @ForAll long seed) {
        assertEquals(0, found(reads, 0, PARTITIONS, new SplittableRandom(seed))[1]);
    }

    @Test
    void oneOfAThirdOfAllReadsIsFoundAfterAboutTwoHundred() {
        SplittableRandom random = new SplittableRandom(1);
        int rounds = 1_000;
        int reads = 0;
        for (int round = 0; round < rounds; round++) {
            HeavyHitters anew = new HeavyHitters();
            boolean found = false;
            while (!found) {
                reads++;
                found = anew.saw(random.nextInt(3) == 0 ? HEAVY : 1_000 + random.nextInt(PARTITIONS), random.nextInt());
            }
        }
        assertEquals(200, (double) reads / rounds, 15);
    }

    @Test
    void whatWasHeavyIsForgotten() {
        SplittableRandom random = new SplittableRandom(2);
        found(WINDOW, 1, PARTITIONS, random);
        assertTrue(hitters.saw(HEAVY, 1));
        found(5 * WINDOW, 0, PARTITIONS, random);
        assertFalse(hitters.saw(HEAVY, 1));
    }

    @Test
    void aReadThatIsNotCountedChangesNothing() {
        for (int read = 0; read < 1_000; read++) {
            assertFalse(hitters.saw(HEAVY, 1 + 8 * read));
        }
        for (int read = 0; read < 7; read++) {
            assertFalse(hitters.saw(HEAVY, 0));
        }
        assertTrue(hitters.saw(HEAVY, 0), "the eighth that is counted");
    }

    @Test
    void manyThreadsCountTogether() throws InterruptedException {
        AtomicInteger missed = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int thread = 0; thread < 4; thread++) {
            SplittableRandom random = new SplittableRandom(thread);
            threads.add(new Thread(() -> {
                for (int read = 0; read < 20 * WINDOW; read++) {
                    boolean heavy = random.nextInt(3) == 0;
                    boolean found = hitters.saw(heavy ? HEAVY : 1_000 + random.nextInt(PARTITIONS), random.nextInt());
                    if (heavy && read > WINDOW && !found) {
                        missed.incrementAndGet();
                    }
                }
            }));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        assertEquals(0, missed.get(), "reads of the heavy partition that were taken for others");
    }
}
