// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class LongestLatelyTest {
    private final LongestLately longest = new LongestLately();

    @Test
    void fewerThanSixHundredAnswersTellNothing() {
        for (int second = 0; second < 119; second++) {
            assertEquals(-1, longest.second(7, 5));
        }
        assertEquals(7, longest.second(3, 5));
    }

    @Test
    void soDoFewerThanTenSeconds() {
        for (int second = 0; second < 9; second++) {
            assertEquals(-1, longest.second(7, 10_000));
        }
        assertEquals(7, longest.second(7, 10_000));
    }

    @Test
    void aSecondWithoutAnswersChangesNothing() {
        for (int second = 0; second < 10; second++) {
            longest.second(7, 60);
        }
        for (int second = 0; second < 1_000; second++) {
            assertEquals(7, longest.second(-1, 0));
        }
    }

    /** Beside a list of the seconds, looked through from the last one backwards. */
    @Property(tries = 300, seed = "57")
    void itIsTheLongestOfTheLastSeconds(@ForAll @LongRange(min = 0) long seed) {
        LongestLately longest = new LongestLately();
        SplittableRandom random = new SplittableRandom(seed);
        int most = random.nextInt(1, 200);
        Deque<int[]> seconds = new ArrayDeque<>();
        for (int second = 0; second < 200; second++) {
            int answers = random.nextInt(most);
            int highest = answers == 0 ? -1 : random.nextInt(RoundTripTail.BUCKETS);
            seconds.push(new int[] {highest, answers});
            assertEquals(exact(seconds), longest.second(highest, answers));
        }
    }

    /** The least bucket that none has exceeded in the seconds that hold six hundred answers, counted from the last. */
    private static int exact(Deque<int[]> latestFirst) {
        for (int bucket = 0; bucket < RoundTripTail.BUCKETS; bucket++) {
            int counted = 0;
            for (int[] second : latestFirst) {
                if (second[0] > bucket) {
                    break;
                }
                counted += Math.min(LongestLately.MOST_OF_A_SECOND, second[1]);
            }
            if (counted >= LongestLately.ANSWERS) {
                return bucket;
            }
        }
        return -1;
    }
}
