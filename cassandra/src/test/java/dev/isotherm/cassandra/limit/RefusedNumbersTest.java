// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class RefusedNumbersTest {
    private final RefusedNumbers refused = new RefusedNumbers();

    @Test
    void whatWasDecidedLastCounts() {
        long statement = RefusedNumbers.statement(7, "a", -1);
        assertFalse(refused.has(statement));
        refused.decided(statement, false);
        assertFalse(refused.has(statement));
        refused.decided(statement, true);
        assertTrue(refused.has(statement));
        assertFalse(refused.has(RefusedNumbers.statement(7, "b", -1)), "another coordinator's");
        assertFalse(refused.has(RefusedNumbers.statement(8, "a", -1)), "another partition's");
        assertFalse(refused.has(RefusedNumbers.statement(7, "a", -2)), "another number");
        refused.decided(statement, false);
        assertFalse(refused.has(statement), "the number came again, and was admitted");
    }

    @Test
    void theNewestAreKnown() {
        int known = 0;
        for (int random = 0; random < 100_000; random++) {
            refused.decided(RefusedNumbers.statement(7, "a", random), true);
        }
        for (int random = 99_000; random < 100_000; random++) {
            known += refused.has(RefusedNumbers.statement(7, "a", random)) ? 1 : 0;
        }
        // Of 1,000 in 4,096 places those that no later one has displaced: 1,000 x (1 - e^-x) / x for x = 1,000 / 4,096.
        assertEquals(887, known, 40);
    }
}
