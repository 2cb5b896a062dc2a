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
        assertEquals(Set.of("t", "u"), warmed.note("a", Set.of("t", "u")));
        assertEquals(Set.of(), warmed.note("a", Set.of("t", "u")));
        assertEquals(Set.of("u", "v"), warmed.note("a", Set.of("t", "v")));
        assertTrue(warmed.has("t", "a"));
        assertTrue(warmed.has("v", "a"));
        assertFalse(warmed.has("u", "a"));
        assertFalse(warmed.has("t", "b"));
        assertEquals(Set.of("t", "v"), warmed.note("a", Set.of()));
        assertFalse(warmed.has("t", "a"));
        assertEquals(Set.of(), warmed.note("a", Set.of()));
    }
}
