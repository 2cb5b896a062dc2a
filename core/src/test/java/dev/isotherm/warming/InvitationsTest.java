// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.warming;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class InvitationsTest {
    private static final long LIFE = 3_000;
    private final SplittableRandom random = new SplittableRandom(7);
    private final Invitations<String, String> invitations = new Invitations<>(LIFE);

    private Map<String, Integer> chosen(int reads, String table, long now) {
        Map<String, Integer> counts = new HashMap<>();
        ListedReplicas replicas = ListedReplicas.serving("cold", "other", "a", "b");
        for (int i = 0; i < reads; i++) {
            String node = invitations.choose(table, random::nextDouble, now, replicas);
            if (node != null) {
                counts.merge(node, 1, Integer::sum);
            }
        }
        return counts;
    }

    @Test
    void aNodeGetsThePartOfTheReadsThatItAsksForAndOfItsTablesAlone() {
        assertTrue(invitations.isEmpty());
        invitations.invited("cold", 0.25, Set.of("t", "u"), 0);
        assertEquals(2500, chosen(10_000, "t", 0).get("cold"), 200);
        assertEquals(Map.of(), chosen(10_000, "other", 0));
        invitations.invited("cold", 1, Set.of("t"), 10);
        assertEquals(Map.of("cold", 10_000), chosen(10_000, "t", 10));
        assertEquals(Map.of(), chosen(10_000, "u", 10), "a later invitation takes the place of the earlier");
    }

    @Test
    void anInvitationThatIsNotRepeatedEnds() {
        invitations.invited("cold", 1, Set.of("t"), 0);
        assertEquals(Map.of("cold", 10), chosen(10, "t", LIFE - 1));
        assertEquals(Map.of(), chosen(10, "t", LIFE));
        invitations.invited("other", 1, Set.of("t"), LIFE);
        invitations.invited("other", 1, Set.of(), LIFE + 1);
        assertEquals(Set.of("cold"), invitations.expire(LIFE + 1));
        assertTrue(invitations.isEmpty(), "neither the ended one nor the one taken back is kept");
    }

    @Test
    void whatHasEndedIsForgottenNowAndThen() {
        invitations.invited("a", 1, Set.of("t"), 0);
        invitations.invited("b", 1, Set.of("t"), 1);
        assertEquals(Set.of(), invitations.expire(LIFE - 1));
        assertEquals(Set.of("a"), invitations.expire(LIFE));
        assertEquals(Map.of("b", 10), chosen(10, "t", LIFE));
        assertFalse(invitations.isEmpty());
        assertEquals(Set.of("b"), invitations.expire(LIFE + 1));
        assertTrue(invitations.isEmpty());
        assertEquals(Set.of(), invitations.expire(LIFE + 1));
    }

    @Test
    void twoColdNodesShareTheCopiesAndAReadHasOne() {
        invitations.invited("a", 1, Set.of("t"), 0);
        invitations.invited("b", 1, Set.of("t"), 0);
        Map<String, Integer> counts = chosen(10_000, "t", 0);
        assertEquals(5_000, counts.get("a"), 300);
        assertEquals(10_000, counts.get("a") + counts.get("b"));
        invitations.invited("a", 1, Set.of(), 0);
        assertEquals(Map.of("b", 100), chosen(100, "t", 0));
    }

    @Test
    void aNodeThatCannotServeTheReadGetsNoCopy() {
        invitations.invited("a", 1, Set.of("t"), 0);
        invitations.invited("b", 1, Set.of("t"), 0);
        List<String> replicas = List.of("a", "b");
        for (int i = 0; i < 100; i++) {
            assertEquals("b", chosen(new ListedReplicas(replicas, node -> node.equals("b"))));
            assertNull(chosen(new ListedReplicas(replicas, node -> false)));
            assertNull(chosen(ListedReplicas.serving("c", "d")), "no replica has asked");
        }
    }

    private String chosen(ListedReplicas replicas) {
        return invitations.choose("t", random::nextDouble, 0, replicas);
    }

    @Test
    void invitationsLiveForSomeTime() {
        assertEquals(
                "lifeNanos is 0; allowed: 1 or above",
                assertThrows(IllegalArgumentException.class, () -> new Invitations<>(0))
                        .getMessage());
    }
}
