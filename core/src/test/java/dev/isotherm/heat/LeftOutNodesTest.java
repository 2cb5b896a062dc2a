// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class LeftOutNodesTest {
    private static final long SECOND = 1_000_000_000L;
    private static final List<String> NODES = List.of("a", "b");

    private final LeftOutNodes<String> nodes = new LeftOutNodes<>();
    private long now = -17;

    /** Looks each second for so many of them; the nodes of which anything changed in that time. */
    private Set<String> pass(int seconds, String... leftOut) {
        Set<String> changed = new HashSet<>();
        for (int i = 0; i < seconds; i++) {
            changed.addAll(nodes.look(NODES, Set.of(leftOut)::contains, now));
            now += SECOND;
        }
        return changed;
    }

    @Test
    void aNodeCountsForTwiceAsLongAsItWasLeftOut() {
        assertEquals(Set.of(), pass(5, "a"));
        assertFalse(nodes.has("a"));
        assertEquals(Set.of("a"), pass(1, "a"));
        assertTrue(nodes.has("a"));
        assertEquals(Set.of(), pass(24, "a"));
        assertEquals(Set.of(), pass(60));
        assertTrue(nodes.has("a"));
        assertEquals(Set.of("a"), pass(1));
        assertFalse(nodes.has("a"));
        assertFalse(nodes.has("b"));
        assertEquals(Set.of(), pass(100));
    }

    @Test
    void moments() {
        for (int i = 0; i < 100; i++) {
            assertEquals(Set.of(), pass(4, "a"));
            assertEquals(Set.of(), pass(1));
        }
    }

    @Test
    void twoMinutesAtMost() {
        pass(3600, "a");
        assertEquals(Set.of(), pass(120));
        assertEquals(Set.of("a"), pass(1));
    }

    /** Who is left out again before the time is over has the rest of it, too. */
    @Test
    void whatIsLeftOfAStayIsOwed() {
        pass(30, "a");
        pass(41);
        assertEquals(Set.of(), pass(10, "a"));
        assertTrue(nodes.has("a"));
        // Of sixty seconds twenty are left, and twenty more are due.
        assertEquals(Set.of(), pass(39));
        assertEquals(Set.of("a"), pass(1));
    }

    @Test
    void aForgottenNodeIsForgotten() {
        pass(10, "a", "b");
        nodes.forget("a");
        assertFalse(nodes.has("a"));
        assertTrue(nodes.has("b"));
        assertEquals(Set.of(), pass(5, "a", "b"));
    }

    /** What is told to have changed is what has, however nodes come and go. */
    @Property(tries = 200, seed = "121")
    void eachChangeIsToldOnce(@ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        LeftOutNodes<String> fresh = new LeftOutNodes<>();
        boolean isOut = false;
        long instant = random.nextLong();
        for (int round = 0; round < 500; round++) {
            isOut ^= random.nextInt(20) == 0;
            boolean isOutNow = isOut;
            boolean before = fresh.has("a");
            Set<String> changed = fresh.look(NODES, node -> isOutNow && node.equals("a"), instant);
            assertEquals(before != fresh.has("a"), changed.contains("a"));
            assertFalse(changed.contains("b"));
            instant += random.nextInt(1, 3000) * 1_000_000L;
        }
    }
}
