// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.share;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class ToldPartTest {
    private static final long SECOND = 1_000_000_000;

    @Test
    void aWordIsTakenForHalfASecondAndForgottenAfterTwo() {
        assertEquals(0.01, ToldPart.believed(0.01, 0), 0);
        assertEquals(0.01, ToldPart.believed(0.01, SECOND / 2), 0);
        assertEquals(0.1, ToldPart.believed(0.01, SECOND * 5 / 4), 1e-12, "halfway in steps of equal ratio");
        assertEquals(1, ToldPart.believed(0.01, 2 * SECOND), 0);
        assertEquals(1, ToldPart.believed(0.01, Long.MAX_VALUE), 0);
        assertEquals(1, ToldPart.believed(1, SECOND), 0);
        double before = 0;
        for (long age = 0; age < 3 * SECOND; age += SECOND / 100) {
            double part = ToldPart.believed(0.001, age);
            assertTrue(part >= before && part <= 1, "at " + age);
            before = part;
        }
    }

    /** Beside all choices of the contacted replicas: of each the one that admits least decides, of these the best. */
    @RepeatedTest(200)
    void whatIsRefusedNoChoiceOfReplicasWouldServe(RepetitionInfo repetition) {
        SplittableRandom random = new SplittableRandom(repetition.getCurrentRepetition());
        double[] parts = random.doubles(random.nextInt(1, 8)).toArray();
        int contacted = random.nextInt(1, parts.length + 1);
        double best = IntStream.range(0, 1 << parts.length)
                .filter(chosen -> Integer.bitCount(chosen) == contacted)
                .mapToDouble(chosen -> IntStream.range(0, parts.length)
                        .filter(i -> (chosen & 1 << i) != 0)
                        .mapToDouble(i -> parts[i])
                        .min()
                        .orElseThrow())
                .max()
                .orElseThrow();
        assertEquals(best, ToldPart.ofBest(parts.clone(), contacted), 0);
    }

    @Test
    void whereTooFewReplicasLiveNothingIsRefused() {
        assertEquals(1, ToldPart.ofBest(new double[] {0.1, 0.2}, 3), 0);
        assertEquals(1, ToldPart.ofBest(new double[0], 1), 0);
        assertEquals(1, ToldPart.ofBest(new double[] {0.1}, 0), 0);
    }

    @Test
    void ofAllNumbersThePartIsAdmittedAsOnAReplica() {
        WatchedPartition partition = new WatchedPartition(1, 32);
        partition.admit(8, 32);
        SplittableRandom random = new SplittableRandom(3);
        for (int i = 0; i < 100_000; i++) {
            int number = random.nextInt();
            assertEquals(partition.refuses(1, number, 1), ToldPart.refuses(partition.admittedPart(), number));
        }
        assertFalse(ToldPart.refuses(1, -1));
        assertTrue(ToldPart.refuses(0.5, Integer.MIN_VALUE));
        assertFalse(ToldPart.refuses(0.5, Integer.MAX_VALUE));
    }
}
