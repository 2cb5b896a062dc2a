// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.share;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WaterFillingTest {
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void howFarAllAreCutIsThatOfTheOneCutLeast(boolean chosenLast) {
        WatchedPartition alike = new WatchedPartition(1, 30);
        WatchedPartition chosen = new WatchedPartition(2, 20);
        chosen.refuses(0.05, 0, 1);
        WatchedPartition[] present =
                chosenLast ? new WatchedPartition[] {alike, chosen} : new WatchedPartition[] {chosen, alike};
        assertEquals(Cutting.SOME, WaterFilling.admit(present, 20, 32, 32));
    }
}
