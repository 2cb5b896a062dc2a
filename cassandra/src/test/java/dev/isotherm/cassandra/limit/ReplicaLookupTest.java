// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ReplicaLookupTest {
    @Test
    void aReplicaThatIsAskedAloneTellsTheOthers() {
        for (int replicas = 2; replicas <= 9; replicas++) {
            double part = ReplicaLookup.part(1, replicas);
            AdmissionParam told = AdmissionParam.decode(AdmissionParam.encode(1, 2, part, List.of()), id -> null);
            assertTrue(told.operations < 1, "below one it is reported");
            assertEquals(1, told.operations, 1e-6);
        }
    }

    @Test
    void theContactedOnesCountOneReadTogether() {
        IntStream.rangeClosed(2, 8)
                .forEach(contacted -> assertEquals(1, contacted * ReplicaLookup.part(contacted, 9), 1e-12));
    }

    @Test
    void whereAllAreContactedEachCountsTheRead() {
        assertEquals(1, ReplicaLookup.part(3, 3));
        assertEquals(1, ReplicaLookup.part(1, 1));
        // ALWAYS speculating, and ANY or NODE_LOCAL, which contact nobody.
        assertEquals(1, ReplicaLookup.part(4, 3));
        assertEquals(1, ReplicaLookup.part(0, 3));
    }
}
