// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import org.junit.jupiter.api.Test;

class WarmedNodesTest {
    private final WarmedNodes<String, String> warmed = new WarmedNodes<>();

    @Test
    void onlyWhatChangesIsTold() {
        assertEquals(Set.of("t", "u"), warmed.note("a", Set.of("t", "u"), 10));
        assertEquals(Set.of(), warmed.note("a", Set.of("t", "u"), 20));
        assertEquals(Set.of("u", "v"), warmed.note("a", Set.of("t", "v"), 30));
        assertTrue(warmed.has("t", "a"));
        assertTrue(warmed.has("v", "a"));
        assertFalse(warmed.has("u", "a"));
        assertFalse(warmed.has("t", "b"));
        assertEquals(Set.of("t", "v"), warmed.note("a", Set.of(), 40));
        assertFalse(warmed.has("t", "a"));
        assertEquals(Set.of(), warmed.note("a", Set.of(), 40));
    }

    @Test
    void whatIsNotRepeatedEnds() {
        long late = Long.MAX_VALUE - 5;
        warmed.note("a", Set.of("t"), late);
        warmed.note("b", Set.of("t", "u"), late + 10);
        assertEquals(Set.of(), warmed.end(late - 1));
        assertEquals(Set.of("t"), warmed.end(late));
        assertTrue(warmed.has("t", "b"));
        warmed.note("b", Set.of("t", "u"), late + 20);
        assertEquals(Set.of(), warmed.end(late + 19));
        assertEquals(Set.of("t", "u"), warmed.end(late + 20));
        assertEquals(Set.of(), warmed.end(late + 20));
        assertFalse(warmed.has("t", "b"));
    }

    @Test
    void aForgottenNodeHasNone() {
        warmed.note("a", Set.of("t"), 10);
        warmed.forget("a");
        assertFalse(warmed.has("t", "a"));
    }
}
