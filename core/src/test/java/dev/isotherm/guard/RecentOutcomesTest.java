// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class RecentOutcomesTest {
    /** Beside a queue of the last looks. */
    @Property(tries = 200, seed = "56")
    void theSumsAreThoseOfTheLastLooks(@ForAll @IntRange(min = 1, max = 60) int looks, @ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        RecentOutcomes recent = new RecentOutcomes(looks);
        Deque<int[]> model = new ArrayDeque<>();
        for (int step = 0; step < 500; step++) {
            if (random.nextInt(100) == 0) {
                recent.clear();
                model.clear();
            } else {
                int[] outcome = {random.nextInt(3_000), random.nextInt(3) * random.nextInt(50)};
                recent.add(outcome[0], outcome[1]);
                model.addLast(outcome);
                if (model.size() > looks) {
                    model.removeFirst();
                }
            }
            assertEquals(model.stream().mapToInt(outcome -> outcome[0]).sum(), recent.good());
            assertEquals(model.stream().mapToInt(outcome -> outcome[1]).sum(), recent.late());
        }
    }
}
