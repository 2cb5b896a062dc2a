// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/** What a node says while its clock is days ahead, once its clock is right. */
class KeyLimitsOfWrongClocksTest {
    private static final long NOW = 1_000_000_000_000L;
    private static final long HOUR = TimeUnit.HOURS.toMillis(1);
    private static final long DAY = TimeUnit.DAYS.toMillis(1);
    private static final byte[] KEY = {1};

    private static KeyLimits limited(KeyLimits limits, int reads, long now) {
        return limits.limited(1, 2, KEY, reads, KeyLimit.NONE, now + HOUR, now);
    }

    private static KeyLimit word(KeyLimits limits) {
        return limits.of(1, 2, KEY);
    }

    @Test
    void aWordOfTheFutureIsForgottenAndOthersCount() {
        long ahead = NOW + KeyLimits.MOST_AHEAD_MILLIS + 1;
        KeyLimits own = limited(KeyLimits.EMPTY, 50, ahead);
        assertSame(own, own.at(ahead), "while the clock is wrong it is a word as any other");
        assertEquals(KeyLimits.EMPTY, own.at(NOW));
        KeyLimits others = limited(KeyLimits.EMPTY, 20, NOW);
        assertEquals(others, own.merged(others, NOW));
    }

    @Test
    void whatIsADayAheadCounts() {
        KeyLimits own = limited(KeyLimits.EMPTY, 50, NOW + KeyLimits.MOST_AHEAD_MILLIS);
        assertSame(own, own.at(NOW));
        assertSame(own, own.merged(limited(KeyLimits.EMPTY, 20, NOW), NOW));
        KeyLimits again = limited(own, 20, NOW);
        assertEquals(20, word(again).of(Operation.READ), "the newest word, although it is further ahead");
        assertSame(again, again.at(NOW + 1));
    }

    /** The next word would have to be newer, and so one of the future too. */
    @Test
    void theNextStatementHereIsOfThePresent() {
        KeyLimits own = limited(KeyLimits.EMPTY, 50, NOW + 2 * DAY);
        KeyLimits again = limited(own, 20, NOW);
        assertEquals(NOW, word(again).setMillis());
        assertEquals(20, word(again).of(Operation.READ));
        KeyLimits removed = own.removed(1, 2, KEY, NOW);
        assertEquals(NOW, word(removed).setMillis());
        assertTrue(word(removed).isRemoval());
        assertNull(word(own.removed(1, 2, new byte[] {2}, NOW)));
    }

    /** Which word is newer the clocks tell. */
    @Test
    void aRemovalCountsOverALimitThatIsNotKnownHereUnlessItWasSetByAClockAhead() {
        KeyLimits limit = limited(KeyLimits.EMPTY, 20, NOW + 1_000);
        KeyLimits inTime = KeyLimits.EMPTY.removed(1, 2, KEY, NOW + 1_001);
        assertTrue(word(inTime.merged(limit, NOW + 1_001)).isRemoval());
        KeyLimits behind = KeyLimits.EMPTY.removed(1, 2, KEY, NOW).merged(limit, NOW);
        assertEquals(20, word(behind).of(Operation.READ));
        KeyLimits again = behind.removed(1, 2, KEY, NOW + 1);
        assertTrue(word(limit.merged(again, NOW + 1)).isRemoval(), "known here by now");
    }

    /** Words that were said hours before, now, and days ahead. */
    @Provide
    Arbitrary<KeyLimits> told() {
        return Combinators.combine(
                        Arbitraries.integers().between(0, 3),
                        Arbitraries.of(KeyLimit.NONE, 1, 2),
                        Arbitraries.longs().between(-3, 60))
                .as((key, reads, set) -> {
                    long said = NOW + set * HOUR;
                    byte[] of = {key.byteValue()};
                    return new KeyLimit(1, 2, of, reads, KeyLimit.NONE, said, said + HOUR, said + KeyLimit.MOST_MILLIS);
                })
                .list()
                .ofMaxSize(12)
                .map(KeyLimits::told);
    }

    @Property(seed = "65")
    void aNodeWhoseClockIsRightAgainKnowsWhatTheOthersKnow(@ForAll("told") KeyLimits told) {
        List<KeyLimit> believed = told.words().stream()
                .filter(word -> !KeyLimits.isOfTheFuture(word, NOW))
                .collect(Collectors.toList());
        KeyLimits others = KeyLimits.EMPTY.merged(KeyLimits.told(believed), NOW);
        KeyLimits own = KeyLimits.EMPTY.merged(told, NOW + 3 * DAY);
        List<KeyLimit> left = own.at(NOW).words();
        assertTrue(left.stream().allMatch(word -> word.setMillis() <= NOW + KeyLimits.MOST_AHEAD_MILLIS));
        assertTrue(others.words().containsAll(left));
        assertEquals(others, own.merged(others, NOW));
    }
}
