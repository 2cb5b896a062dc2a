// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChosenMessagesTest {
    private static final int MESSAGES = 10_000;

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 30, 50, 99, 100})
    void soManyOfAHundredAndTheSameOnesEachTime(int ofHundred) {
        List<Boolean> once = fates(ofHundred);
        assertEquals(once, fates(ofHundred));
        assertEquals(ofHundred > 0, new ChosenMessages(ofHundred, "lost").strikesAny());
        double struck = once.stream().filter(fate -> fate).count();
        double chance = Math.sqrt(MESSAGES * ofHundred / 100.0 * (1 - ofHundred / 100.0));
        assertEquals(MESSAGES * ofHundred / 100.0, struck, 4 * chance);
    }

    @Test
    void noTwoOfAHundredInARowAreAlike() {
        List<Boolean> fates = fates(50);
        long different = IntStream.range(0, MESSAGES / 100)
                .mapToObj(part -> fates.subList(part * 100, part * 100 + 100))
                .distinct()
                .count();
        assertEquals(MESSAGES / 100, different);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 101})
    void moreOrLessThanAllIsRefused(int ofHundred) {
        String why = assertThrows(IllegalArgumentException.class, () -> new ChosenMessages(ofHundred, "lost"))
                .getMessage();
        assertTrue(why.contains("0 to 100 are lost, not " + ofHundred), why);
    }

    private static List<Boolean> fates(int ofHundred) {
        ChosenMessages chosen = new ChosenMessages(ofHundred, "lost");
        return IntStream.range(0, MESSAGES)
                .mapToObj(message -> chosen.strikesNext())
                .collect(Collectors.toList());
    }
}
