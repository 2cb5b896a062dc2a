// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.share;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WeightTest {
    @ParameterizedTest
    @ValueSource(doubles = {1, 0.99, 0.75, 0.7, 0.5, 0.4, 0.1, 0.013, 1.0 / 1024})
    void onAverageItIsTheInverse(double part) {
        SplittableRandom random = new SplittableRandom(5);
        double sum = 0;
        for (int i = 0; i < 100_000; i++) {
            int weight = Weight.of(part, random.nextDouble());
            assertTrue(Math.abs(weight - 1 / part) < 1, weight + " of " + part);
            sum += weight;
        }
        assertEquals(1 / part, sum / 100_000, 0.01 / part);
    }

    @Test
    void itIsWithinWhatIsAllowed() {
        assertEquals(1, Weight.of(1, 0.999_999));
        assertEquals(FairShare.MOST_WEIGHT, Weight.of(1e-9, 0.5));
        assertEquals(FairShare.MOST_WEIGHT, Weight.of(Double.MIN_VALUE, 0.5));
    }
}
