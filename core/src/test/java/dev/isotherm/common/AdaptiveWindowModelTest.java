// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.common;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** The window beside a reference that keeps each lump by itself: after each addition they say the same. */
class AdaptiveWindowModelTest {
    /** Steps, slow changes, bursts and pauses, in lumps of any size. */
    @Property(tries = 60, seed = "72")
    void saysWhatTheReferenceSays(@ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        EventVariance model = EventVariance.values()[random.nextInt(3)];
        AdaptiveWindow window = new AdaptiveWindow(model);
        ExactWindow exact = new ExactWindow(model);
        double most = model == EventVariance.OF_RATIO ? 1 : 10;
        double mean = most * random.nextDouble();
        double spread = random.nextInt(3) * 0.1;
        int perLump = 1 + random.nextInt(5);
        int additions = 1 + random.nextInt(400);
        for (int i = 0; i < additions; i++) {
            mean = random.nextInt(100) == 0 ? most * random.nextDouble() : mean * (1 - 0.002 * random.nextInt(2));
            double events = random.nextInt(5) == 0 ? 0 : 1 + random.nextInt(40);
            double ratio = Math.min(most, mean * (1 + spread * (random.nextDouble() - 0.5)));
            window.add(ratio * events, events);
            exact.add(ratio * events, events);
            assertEquals(exact.weight(), window.weight(), 1e-9 * exact.weight(), "events at " + i);
            assertEquals(exact.value(), window.value(), 1e-9 * most, "ratio at " + i);
            assertEquals(exact.error(mean, 1), window.error(mean, 1), 1e-9 * most, "error at " + i);
            if (random.nextInt(perLump) == 0) {
                window.endLump();
                exact.endLump();
            }
        }
    }

    /** Lumps without a change lie in buckets of 1, 2, 4 ... 2048, at most three of each; then the oldest is dropped. */
    @Test
    void forgetsTheOldestBucketOfTheLargestSize() {
        AdaptiveWindow window = new AdaptiveWindow(EventVariance.OF_COUNT);
        List<Integer> sizes = new ArrayList<>();
        int kept = 0;
        for (int lump = 1; lump <= 20_000; lump++) {
            window.add(1, 1);
            assertEquals(newerHalf(sizes, kept + 1), window.weight(), 0, "at lump " + lump);
            window.endLump();
            sizes.add(1);
            kept++;
            for (int size = 1; Collections.frequency(sizes, size) > 3; size *= 2) {
                int oldest = sizes.indexOf(size);
                if (size == 2048) {
                    kept -= sizes.remove(oldest);
                } else {
                    sizes.remove(oldest);
                    sizes.set(oldest, 2 * size);
                }
            }
        }
    }

    /** The newest buckets, and the lump that grows, that are half of all lumps. */
    private static int newerHalf(List<Integer> sizes, int all) {
        int newer = 1;
        for (int bucket = sizes.size() - 1; bucket >= 0 && 2 * newer < all; bucket--) {
            newer += sizes.get(bucket);
        }
        return newer;
    }
}
