// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.lab;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SeenPeersTest {
    private static final List<String> ALIVE = List.of("127.0.0.1:7000", "127.0.0.2:7000", "127.0.0.3:7000");

    @Test
    void aPeerThatLivesIsAReplicaOnceItHasJoined() {
        assertTrue(SeenPeers.areReplicas(3, ALIVE, Set.copyOf(ALIVE), List.of()));
        assertFalse(SeenPeers.areReplicas(3, ALIVE, Set.copyOf(ALIVE.subList(0, 2)), List.of()));
        assertFalse(SeenPeers.areReplicas(3, ALIVE, Set.copyOf(ALIVE), ALIVE.subList(2, 3)));
    }

    @Test
    void asManyLiveAsAreWantedWhoeverElseHasTokens() {
        assertFalse(SeenPeers.areReplicas(3, ALIVE.subList(0, 2), Set.copyOf(ALIVE), List.of()));
        assertFalse(SeenPeers.areReplicas(2, ALIVE, Set.copyOf(ALIVE), List.of()));
        assertTrue(SeenPeers.areReplicas(2, ALIVE.subList(0, 2), Set.copyOf(ALIVE), List.of("127.0.0.9:7000")));
    }
}
