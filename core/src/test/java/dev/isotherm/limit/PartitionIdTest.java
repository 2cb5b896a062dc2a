// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PartitionIdTest {
    /** Nodes of different versions must agree: these numbers never change. */
    @Test
    void idsAreTheSameForEver() {
        assertEquals(-5432831574128818718L, PartitionId.of(0, 0, Operation.READ, 0));
        assertEquals(172029173401249021L, PartitionId.of(1, 2, Operation.WRITE, -3));
    }

    @Test
    void whateverDiffersTellsThemApart() {
        Set<Long> ids = new HashSet<>();
        int count = 0;
        for (long msb = -2; msb <= 2; msb++) {
            for (long lsb = -2; lsb <= 2; lsb++) {
                for (Operation operation : Operation.values()) {
                    for (long token = -1_000; token <= 1_000; token++, count++) {
                        ids.add(PartitionId.of(msb, lsb, operation, token));
                    }
                }
            }
        }
        assertEquals(count, ids.size());
    }

    @Test
    void everyBitOfATokenChangesHalfOfTheId() {
        SplittableRandom random = new SplittableRandom(1);
        for (int bit = 0; bit < 64; bit++) {
            int changed = 0;
            for (int i = 0; i < 1_000; i++) {
                long token = random.nextLong();
                changed += Long.bitCount(PartitionId.of(1, 2, Operation.READ, token)
                        ^ PartitionId.of(1, 2, Operation.READ, token ^ 1L << bit));
            }
            assertTrue(Math.abs(changed / 1_000.0 - 32) < 1.5, "bit " + bit + " changes " + changed / 1_000.0);
        }
    }
}
