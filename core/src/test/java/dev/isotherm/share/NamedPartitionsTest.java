// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.share;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.common.AllocatedBytes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NamedPartitionsTest {
    private final NamedPartitions<String> named = new NamedPartitions<>();
    private final Map<Long, Double> shares = new HashMap<>();

    private double shareOf(long partition) {
        return shares.getOrDefault(partition, 0.0);
    }

    private void holds(long partition, double share) {
        shares.put(partition, share);
        named.saw(partition, share, () -> "p" + partition);
    }

    private List<String> shown() {
        List<String> lines = new ArrayList<>();
        named.forEach(this::shareOf, (name, share, refused) -> lines.add(name + " " + share));
        return lines;
    }

    private double refused() {
        double[] rate = {Double.NaN};
        named.forEach(this::shareOf, (name, share, refused) -> rate[0] = refused);
        return rate[0];
    }

    @Test
    void theLargeOnesAreNamedLargestFirst() {
        holds(1, 0.1);
        holds(2, 0.5);
        holds(3, NamedPartitions.LEAST_PART - 1e-9);
        assertEquals(List.of("p2 0.5", "p1 0.1"), shown());
    }

    @Test
    void aSmallOneIsForgottenAndNotOneThatTrembles() {
        holds(1, NamedPartitions.LEAST_PART);
        holds(2, 0.5);
        shares.put(1L, NamedPartitions.LEAST_PART * 0.51);
        named.tick(1, this::shareOf);
        assertEquals(2, shown().size());
        shares.put(1L, NamedPartitions.LEAST_PART * 0.49);
        named.tick(1, this::shareOf);
        assertEquals(List.of("p2 0.5"), shown());
        named.clear();
        assertEquals(List.of(), shown());
    }

    @Test
    void neverMoreThanSoMany() {
        for (long partition = 1; partition < 3 * NamedPartitions.MOST; partition++) {
            holds(partition, 0.5);
        }
        assertEquals(NamedPartitions.MOST, shown().size());
    }

    @Test
    void theRateOfRefusalsIsAMovingAverage() {
        holds(1, 0.5);
        for (int second = 0; second < 20; second++) {
            for (int i = 0; i < 300; i++) {
                named.refused(1);
            }
            named.refused(2);
            named.tick(1, this::shareOf);
        }
        assertEquals(300, refused(), 1);
        // Cut to nearly nothing it keeps its name for as long as it is refused.
        shares.put(1L, 0.0);
        named.tick(2, this::shareOf);
        assertEquals(300 * Math.exp(-2 / NamedPartitions.TIME_CONSTANT_SECONDS), refused(), 1);
        for (int second = 0; second < 30; second++) {
            named.tick(1, this::shareOf);
        }
        assertTrue(shown().isEmpty());
    }

    @Test
    void timeGoesForward() {
        assertThrows(IllegalArgumentException.class, () -> named.tick(0, this::shareOf));
    }

    /** Ids of which boxes are not kept at hand. */
    @Test
    void aRefusalAllocatesNothing() {
        holds(-1_000_000, 0.25);
        holds(1_000_000, 0.5);
        named.refused(1_000_000);
        long bytes = AllocatedBytes.of(() -> {
            for (int i = 0; i < 20_000; i++) {
                named.refused(-1_000_000);
                named.refused(2_000_000 + i);
                named.saw(1_000_000, 0.5, null);
            }
        });
        assertEquals(0, bytes, "bytes in 20,000 refusals");
        named.tick(1, this::shareOf);
        List<Boolean> wereRefused = new ArrayList<>();
        named.forEach(this::shareOf, (name, share, refused) -> wereRefused.add(refused > 1));
        assertEquals(List.of(false, true), wereRefused, "the larger one, then the one refused so often");
    }
}
