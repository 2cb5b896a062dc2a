// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Where more partitions were spoken of than are remembered. */
class KeyLimitsWithoutRoomTest {
    private static final long NOW = 1_000_000_000_000L;
    private static final long HOUR = TimeUnit.HOURS.toMillis(1);

    private static byte[] key(int key) {
        return new byte[] {(byte) (key >> 8), (byte) key};
    }

    private static KeyLimits limited(int key, long now) {
        return KeyLimits.EMPTY.limited(1, 2, key(key), 1, KeyLimit.NONE, now + HOUR, now);
    }

    private static KeyLimits removed(int key, long now) {
        return KeyLimits.EMPTY.removed(1, 2, key(key), now);
    }

    private static KeyLimit of(KeyLimits limits, int key) {
        return limits.of(1, 2, key(key));
    }

    private static KeyLimits merged(KeyLimits first, List<KeyLimits> words) {
        KeyLimits all = first;
        for (KeyLimits word : words) {
            all = all.merged(word, NOW);
            assertTrue(all.words().size() <= KeyLimits.MOST_WORDS);
        }
        return all;
    }

    /** As where the node that tells of the older limit was cut off while an operator removed it. */
    @Test
    void aRemovalThatHadToGoDoesNotEndAnOlderLimitThatIsToldAfterwards() {
        List<KeyLimits> holding = new ArrayList<>();
        for (int key = 1; key < KeyLimits.MOST_WORDS; key++) {
            holding.add(limited(key, NOW - 10));
        }
        KeyLimits nearlyFull = merged(KeyLimits.EMPTY, holding);
        KeyLimits older = limited(200, NOW - 3);
        KeyLimits removal = removed(200, NOW - 2);
        KeyLimits another = removed(201, NOW - 1);
        KeyLimits inTime = merged(nearlyFull, List.of(removal, older, another));
        assertNull(of(inTime, 200));
        assertTrue(of(inTime, 201).isRemoval());
        KeyLimits afterwards = merged(nearlyFull, List.of(removal, another, older));
        assertTrue(of(afterwards, 200).holds(NOW));
        assertNull(of(afterwards, 201));
        assertEquals(afterwards, inTime.merged(afterwards, NOW), "what holds is not lost");
        assertEquals(afterwards, afterwards.merged(inTime, NOW));
    }

    /** Limits and removals of each partition; where there is room for all, their order does not matter. */
    @Property(tries = 100, seed = "64")
    void nodesKnowTheSameOnceTheyHaveToldEachOther(
            @ForAll Random random, @ForAll @IntRange(min = 1, max = 2 * KeyLimits.MOST_WORDS) int partitions) {
        List<KeyLimits> said = new ArrayList<>();
        for (int i = 0; i < 3 * partitions; i++) {
            long now = NOW - random.nextInt(1000);
            said.add(random.nextBoolean() ? limited(i % partitions, now) : removed(i % partitions, now));
        }
        Collections.shuffle(said, random);
        KeyLimits one = merged(KeyLimits.EMPTY, said);
        Collections.shuffle(said, random);
        KeyLimits other = merged(KeyLimits.EMPTY, said);
        assertEquals(Math.min(partitions, KeyLimits.MOST_WORDS), one.words().size());
        if (partitions <= KeyLimits.MOST_WORDS) {
            assertEquals(one, other);
        }
        assertEquals(one.merged(other, NOW), other.merged(one, NOW));
    }
}
