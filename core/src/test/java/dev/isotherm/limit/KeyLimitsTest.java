// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class KeyLimitsTest {
    private static final long NOW = 1_000_000_000_000L;
    private static final long HOUR = TimeUnit.HOURS.toMillis(1);
    private static final int NONE = KeyLimit.NONE;

    private static byte[] key(int key) {
        return new byte[] {(byte) (key >> 8), (byte) key};
    }

    private static KeyLimits limited(KeyLimits limits, int key, int reads, long now) {
        return limits.limited(1, 2, key(key), reads, NONE, now + HOUR, now);
    }

    private static KeyLimits of(KeyLimit... words) {
        return KeyLimits.EMPTY.merged(KeyLimits.told(List.of(words)), NOW);
    }

    private static KeyLimit of(KeyLimits limits, int key) {
        return limits.of(1, 2, key(key));
    }

    /** Few partitions, few instants and few limits, so that all coincide often; some words have ended. */
    @Provide
    Arbitrary<KeyLimits> told() {
        Arbitrary<KeyLimit> word = Combinators.combine(
                        Arbitraries.integers().between(0, 5),
                        Arbitraries.of(NONE, 1, 2, Integer.MAX_VALUE),
                        Arbitraries.of(NONE, 1, 2),
                        Arbitraries.longs().between(-3, 3),
                        Arbitraries.longs().between(-3, 3),
                        Arbitraries.longs().between(0, 3))
                .as((key, reads, writes, set, until, kept) -> new KeyLimit(
                        key & 1,
                        2,
                        key(key),
                        reads,
                        writes,
                        NOW + set * HOUR,
                        NOW + until * HOUR,
                        NOW + (until + kept) * HOUR));
        return word.list().ofMaxSize(12).map(KeyLimits::told);
    }

    /** Words that no node has forgotten yet. */
    @Provide
    Arbitrary<KeyLimits> remembered() {
        return told().map(told -> KeyLimits.told(
                told.words().stream().filter(word -> word.keptMillis > NOW).collect(Collectors.toList())));
    }

    @Property(seed = "61")
    void nodesThatHearTheSameInAnyOrderKnowTheSame(
            @ForAll("remembered") KeyLimits a, @ForAll("remembered") KeyLimits b, @ForAll("remembered") KeyLimits c) {
        KeyLimits first = KeyLimits.EMPTY.merged(a, NOW).merged(b, NOW).merged(c, NOW);
        KeyLimits second = KeyLimits.EMPTY.merged(c, NOW).merged(a, NOW).merged(b, NOW);
        KeyLimits third = KeyLimits.EMPTY.merged(
                KeyLimits.EMPTY.merged(b, NOW).merged(c, NOW).merged(a, NOW), NOW);
        assertEquals(first, second);
        assertEquals(first, third);
        assertEquals(KeyLimitsReport.digest(first), KeyLimitsReport.digest(third));
        assertSame(first, first.merged(b, NOW), "told again, it changes nothing");
        assertSame(first, first.merged(first, NOW));
    }

    @Property(seed = "62")
    void theNewestWordCountsUntilItsEnd(@ForAll("told") KeyLimits told) {
        KeyLimits merged = KeyLimits.EMPTY.merged(told, NOW);
        Map<List<Object>, KeyLimit> newest = new HashMap<>();
        Map<List<Object>, Long> kept = new HashMap<>();
        for (KeyLimit word : told.words()) {
            List<Object> partition = List.of(word.tableMsb, word.tableLsb, (int) word.key()[1]);
            kept.merge(partition, word.keptMillis, Math::max);
            newest.merge(partition, word, (x, y) -> x.setMillis >= y.setMillis ? x : y);
        }
        kept.values().removeIf(end -> end <= NOW);
        assertEquals(kept.size(), merged.words().size());
        for (KeyLimit word : merged.words()) {
            List<Object> partition = List.of(word.tableMsb, word.tableLsb, (int) word.key()[1]);
            assertEquals(newest.get(partition).setMillis, word.setMillis);
            assertEquals(kept.get(partition), word.keptMillis);
        }
        // Whoever hears of it again later learns nothing.
        long end = NOW + 7 * HOUR;
        assertSame(KeyLimits.EMPTY.words(), KeyLimits.EMPTY.merged(told, end).words());
        assertEquals(KeyLimits.EMPTY, merged.at(end));
    }

    @Property(tries = 50, seed = "63")
    void neverMoreThanSoManyWordsAndTheNewestOnEveryNode(@ForAll Random random) {
        List<KeyLimits> said = new ArrayList<>();
        for (int i = 0; i < 2 * KeyLimits.MOST_WORDS; i++) {
            said.add(limited(KeyLimits.EMPTY, i, 1, NOW + i / 3));
        }
        KeyLimits inOrder = KeyLimits.EMPTY;
        for (KeyLimits word : said) {
            inOrder = inOrder.merged(word, NOW);
        }
        Collections.shuffle(said, random);
        KeyLimits shuffled = KeyLimits.EMPTY;
        for (KeyLimits word : said) {
            shuffled = shuffled.merged(word, NOW);
            assertTrue(shuffled.words().size() <= KeyLimits.MOST_WORDS);
        }
        assertEquals(inOrder, shuffled);
        assertEquals(KeyLimits.MOST_WORDS, shuffled.words().size());
        assertNull(of(shuffled, 0));
        List<KeyLimit> inOrderOfPartitions = new ArrayList<>(shuffled.words());
        inOrderOfPartitions.sort(KeyLimit::comparePartition);
        assertEquals(inOrderOfPartitions, shuffled.words());
    }

    @Test
    void aLimitHoldsUntilItsEndAndIsForgotten() {
        KeyLimits limits = limited(KeyLimits.EMPTY, 1, 50, NOW);
        assertEquals(50, of(limits, 1).of(Operation.READ));
        assertEquals(NONE, of(limits, 1).of(Operation.WRITE));
        assertTrue(of(limits, 1).holds(NOW + HOUR - 1));
        assertFalse(of(limits, 1).holds(NOW + HOUR));
        assertEquals(1, limits.holding(NOW, word -> true));
        assertEquals(0, limits.holding(NOW + HOUR, word -> true));
        assertSame(limits, limits.at(NOW + KeyLimit.MOST_MILLIS - 1));
        assertEquals(KeyLimits.EMPTY, limits.at(NOW + KeyLimit.MOST_MILLIS));
    }

    @Test
    void aRemovalOutlivesWhatANodeThatDidNotHearOfItTells() {
        KeyLimits limits = limited(KeyLimits.EMPTY, 1, 50, NOW);
        KeyLimits removed = limits.removed(1, 2, key(1), NOW + 5);
        assertTrue(of(removed, 1).isRemoval());
        assertEquals(0, removed.holding(NOW + 6, word -> true));
        assertSame(removed, removed.merged(limits, NOW + 6));
        long end = NOW + 5 + KeyLimit.MOST_MILLIS;
        assertEquals(KeyLimits.EMPTY, removed.at(end));
        assertEquals(KeyLimits.EMPTY, removed.at(end).merged(limits, end));
    }

    /** Of a limit for a minute that all nodes know one that is cut off makes a longer one. */
    @Test
    void theNewestWordCountsAlthoughItsNodeHasNotHeardOfALongerLimit() {
        long minute = TimeUnit.MINUTES.toMillis(1);
        long later = NOW + 2 * minute;
        KeyLimits all = KeyLimits.EMPTY.limited(1, 2, key(1), 50, NONE, NOW + minute, NOW);
        KeyLimits cutOff = all.limited(1, 2, key(1), 50, NONE, NOW + 1000 + KeyLimit.MOST_MILLIS, NOW + 1000);
        KeyLimits removed = all.removed(1, 2, key(1), NOW + 11_000).at(later);
        KeyLimits shortened = all.limited(1, 2, key(1), 50, NONE, NOW + minute / 2, NOW + 11_000)
                .at(later);
        KeyLimits firstHeardOf = KeyLimits.EMPTY
                .limited(1, 2, key(1), 9, NONE, NOW + minute, NOW + 11_000)
                .at(later);
        for (KeyLimits newest : List.of(removed, shortened, firstHeardOf)) {
            assertEquals(0, newest.merged(cutOff, later).holding(later, word -> true));
            assertEquals(0, cutOff.merged(newest, later).holding(later, word -> true));
            assertEquals(newest.merged(cutOff, later), cutOff.merged(newest, later));
        }
    }

    /** As by an operator at a node that has not heard of a limit which was set elsewhere after the first removal. */
    @Test
    void aSecondRemovalEndsALimitThatItsNodeHasNotHeardOf() {
        KeyLimits removed = limited(KeyLimits.EMPTY, 1, 50, NOW).removed(1, 2, key(1), NOW + 5);
        KeyLimits elsewhere = limited(removed, 1, 20, NOW + 6);
        KeyLimits again = removed.removed(1, 2, key(1), NOW + 7);
        assertTrue(of(again.merged(elsewhere, NOW + 8), 1).isRemoval());
        assertTrue(of(elsewhere.merged(again, NOW + 8), 1).isRemoval());
        assertTrue(of(again.at(NOW + KeyLimit.MOST_MILLIS), 1).isRemoval(), "for as long as any limit may last");
    }

    /** A node may still know the older and longer word when the newer and shorter one has ended. */
    @Test
    void aShorterLimitIsRememberedForAsLongAsALongerOneMayLast() {
        KeyLimits longer = KeyLimits.EMPTY.limited(1, 2, key(1), 50, NONE, NOW + 2 * HOUR, NOW);
        KeyLimits shorter = longer.limited(1, 2, key(1), 20, NONE, NOW + HOUR, NOW + 1);
        KeyLimits later = shorter.at(NOW + HOUR + 1);
        assertFalse(of(later, 1).holds(NOW + HOUR + 1));
        assertSame(later, later.merged(longer, NOW + HOUR + 1));
        assertEquals(KeyLimits.EMPTY, later.at(NOW + 1 + KeyLimit.MOST_MILLIS));
    }

    @Test
    void theLastWordCountsAlthoughItsNodesClockIsBehind() {
        KeyLimits ahead = limited(KeyLimits.EMPTY, 1, 50, NOW + HOUR);
        KeyLimits removed = ahead.removed(1, 2, key(1), NOW);
        assertTrue(of(ahead.merged(removed, NOW), 1).isRemoval());
        KeyLimits again = removed.limited(1, 2, key(1), 9, 8, NOW + 10, NOW);
        assertEquals(9, of(ahead.merged(again, NOW), 1).of(Operation.READ));
        assertFalse(of(again, 1).holds(NOW + 10));
    }

    @Test
    void whatLimitsNothingAnyMoreMakesRoomTheOldestFirst() {
        KeyLimits limits = limited(KeyLimits.EMPTY, 0, 1, NOW);
        for (int i = 1; i < KeyLimits.MOST_WORDS; i++) {
            limits = limited(limits, i, 1, NOW + i).removed(1, 2, key(i), NOW + i + 1);
        }
        long now = NOW + KeyLimits.MOST_WORDS;
        assertTrue(limits.hasRoomFor(1, 2, key(200), now));
        KeyLimits one = limited(limits, 200, 1, now);
        KeyLimits two = one.removed(1, 2, key(201), now);
        assertEquals(KeyLimits.MOST_WORDS, two.words().size());
        assertTrue(of(two, 0).holds(now), "the oldest of all, which holds");
        assertTrue(of(two, 200).holds(now));
        assertTrue(of(two, 201).isRemoval());
        assertNull(of(two, 1));
        assertNull(of(two, 2));
        assertTrue(of(two, 3).isRemoval());
        assertSame(two, two.merged(limits, now), "those that have gone do not come back by others");
    }

    @Test
    void noLimitThatHoldsMakesRoom() {
        KeyLimits limits = KeyLimits.EMPTY;
        for (int i = 0; i < KeyLimits.MOST_WORDS; i++) {
            assertTrue(limits.hasRoomFor(1, 2, key(i), NOW));
            limits = limited(limits, i, 1, NOW);
        }
        assertFalse(limits.hasRoomFor(1, 2, key(KeyLimits.MOST_WORDS), NOW));
        assertTrue(limits.hasRoomFor(1, 2, key(0), NOW), "its own word makes room");
        assertTrue(limits.hasRoomFor(1, 2, key(KeyLimits.MOST_WORDS), NOW + HOUR), "all have ended");
    }

    @Test
    void onlyWordsThatAreCountedCount() {
        KeyLimits limits = limited(limited(KeyLimits.EMPTY, 1, 50, NOW), 2, 50, NOW);
        assertEquals(1, limits.holding(NOW, word -> word.key()[1] == 1));
    }

    /** The node at which the limit is deleted may have started since, and not yet have heard of it. */
    @Test
    void aLimitThatIsNotKnownCanBeRemoved() {
        KeyLimits elsewhere = KeyLimits.EMPTY.limited(1, 2, key(1), 50, NONE, NOW + KeyLimit.MOST_MILLIS, NOW);
        KeyLimits removed = KeyLimits.EMPTY.removed(1, 2, key(1), NOW + 1);
        assertTrue(of(removed.merged(elsewhere, NOW + 2), 1).isRemoval());
        assertTrue(of(elsewhere.merged(removed, NOW + 2), 1).isRemoval());
        long ended = NOW + KeyLimit.MOST_MILLIS;
        assertFalse(removed.at(ended).merged(elsewhere, ended).words().stream().anyMatch(word -> word.holds(ended)));
    }

    @Test
    void whatChangedIsEnoughToTell() {
        KeyLimits before = limited(limited(KeyLimits.EMPTY, 1, 50, NOW), 2, 50, NOW);
        KeyLimits after = before.removed(1, 2, key(1), NOW + 1);
        KeyLimits told = after.without(before);
        assertEquals(1, told.words().size());
        assertEquals(after, before.merged(told, NOW + 1));
    }

    @Test
    void nonsenseIsRefusedByName() {
        assertRefused("maxReads is 0; allowed: 1 or above", () -> limited(KeyLimits.EMPTY, 1, 0, NOW));
        assertRefused("maxReads is -2; allowed: 1 or above", () -> limited(KeyLimits.EMPTY, 1, -2, NOW));
        assertRefused(
                "maxReads is -1; allowed: 1 or above where maxWrites is none",
                () -> limited(KeyLimits.EMPTY, 1, NONE, NOW));
        assertRefused(
                "the key's length is 0; allowed: 1 to 256",
                () -> KeyLimits.EMPTY.limited(1, 2, new byte[0], 1, 1, NOW + 1, NOW));
        assertRefused(
                "the key's length is 257; allowed: 1 to 256",
                () -> KeyLimits.EMPTY.limited(1, 2, new byte[257], 1, 1, NOW + 1, NOW));
        for (long until : new long[] {NOW, NOW + KeyLimit.MOST_MILLIS + 1, Long.MIN_VALUE, Long.MAX_VALUE}) {
            assertRefused(
                    "untilMillis is " + until + "; allowed: after nowMillis, by at most 604800000",
                    () -> KeyLimits.EMPTY.limited(1, 2, key(1), 1, 1, until, NOW));
        }
        of(new KeyLimit(1, 2, key(1), 1, 1, NOW, NOW, NOW + KeyLimit.MOST_MILLIS));
    }

    private static void assertRefused(String message, Runnable code) {
        assertEquals(
                message, assertThrows(IllegalArgumentException.class, code::run).getMessage());
    }
}
