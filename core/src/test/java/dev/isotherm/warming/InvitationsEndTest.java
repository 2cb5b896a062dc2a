// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.warming;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import org.junit.jupiter.api.Test;

/** How long an invitation stands. */
class InvitationsEndTest {
    private static String chosen(Invitations<String, String> invitations, long now) {
        return chosen(invitations, 0, now);
    }

    private static String chosen(Invitations<String, String> invitations, double random, long now) {
        return invitations.choose("t", () -> random, now, ListedReplicas.serving("a"));
    }

    @Test
    void whatStandsIsKeptWheneverEndedOnesAreForgotten() {
        Invitations<String, String> invitations = new Invitations<>(3_000);
        invitations.expire(0);
        assertTrue(invitations.isEmpty());
        invitations.invited("a", 1, Set.of("t"), 0);
        invitations.invited("b", 1, Set.of("t"), 0);
        for (long now = 0; now < 3_000; now += 999) {
            invitations.expire(now);
            assertEquals("a", chosen(invitations, now));
        }
        assertFalse(invitations.isEmpty());
    }

    @Test
    void theShortestLifeIsOneNanosecond() {
        Invitations<String, String> invitations = new Invitations<>(1);
        invitations.invited("a", 1, Set.of("t"), 7);
        assertEquals("a", chosen(invitations, 7));
        assertNull(chosen(invitations, 8));
    }

    /** A part of the reads is that of the numbers in [0, 1) below it. */
    @Test
    void noReadIsCopiedByANumberAsLargeAsThePart() {
        Invitations<String, String> invitations = new Invitations<>(1);
        invitations.invited("a", 0.25, Set.of("t"), 7);
        assertNull(chosen(invitations, 0.25, 7));
        assertEquals("a", chosen(invitations, Math.nextDown(0.25), 7));
    }
}
