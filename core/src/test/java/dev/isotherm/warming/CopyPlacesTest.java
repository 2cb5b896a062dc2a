// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.warming;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CopyPlacesTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long SERVICE = 8_000_000;

    private long now = -5 * SECOND;

    private static void end(CopyPlaces copies, int many, int underWay, long waits, long nanos) {
        for (int i = 0; i < many; i++) {
            copies.ended(underWay, waits, nanos);
        }
    }

    /** A second in which copies begin at the limit: beyond its places a disk makes all of them wait. */
    private int second(CopyPlaces copies, int diskPlaces, long serviceNanos) {
        int limit = copies.limit();
        end(copies, 20, limit, 4, 4 * serviceNanos * Math.max(limit, diskPlaces) / diskPlaces);
        now += SECOND;
        return copies.settle(now);
    }

    @Property(seed = "124")
    void asManyAsTheDiskServesSideBySideAndAQuarterMore(
            @ForAll @IntRange(min = 1, max = 20) int diskPlaces,
            @ForAll @IntRange(min = 1, max = 16) int most,
            @ForAll @LongRange(min = CopyPlaces.SHORT_WAIT_NANOS, max = SECOND) long service) {
        CopyPlaces copies = new CopyPlaces(most);
        int bearable = Math.min(most, diskPlaces * 5 / 4);
        int above = 0;
        for (int i = 0; i < 200; i++) {
            int limit = second(copies, diskPlaces, service);
            assertTrue(limit <= Math.min(most, bearable + 1), limit + " on " + diskPlaces);
            assertTrue(i < most || limit >= bearable, limit + " on " + diskPlaces);
            above += limit > bearable ? 1 : 0;
        }
        assertTrue(above <= 20, above + " of 200 s with one too many");
    }

    @Test
    void theHighestLimitIsFollowedAtTheNextSettling() {
        CopyPlaces copies = new CopyPlaces(8);
        for (int i = 0; i < 30; i++) {
            second(copies, 16, SERVICE);
        }
        assertEquals(8, copies.limit());
        copies.limitTo(3);
        for (int i = 0; i < 5; i++) {
            assertEquals(3, second(copies, 16, SERVICE));
        }
        copies.limitTo(4);
        assertEquals(4, second(copies, 16, SERVICE));
        assertThrows(IllegalArgumentException.class, () -> copies.limitTo(0));
    }

    @Test
    void aDiskThatBecomesSlowerIsLearnedAnew() {
        CopyPlaces copies = new CopyPlaces(8);
        for (int i = 0; i < 30; i++) {
            second(copies, 4, SERVICE);
        }
        assertTrue(copies.limit() >= 4);
        int least = 8;
        for (int i = 0; i < 60; i++) {
            least = Math.min(least, second(copies, 4, 20 * SERVICE));
        }
        assertEquals(1, least, "its waits are compared with those of a read alone on the disk as it is now");
        assertTrue(copies.limit() >= 4);
    }

    @Test
    void whereWaitsAreShortOneAtATimeIsEnough() {
        CopyPlaces copies = new CopyPlaces(8);
        for (int i = 0; i < 30; i++) {
            assertEquals(1, second(copies, 64, CopyPlaces.SHORT_WAIT_NANOS - 1));
        }
    }

    @Test
    void whereWaitsBecomeShortOneAtATimeIsEnoughAgain() {
        CopyPlaces copies = new CopyPlaces(8);
        for (int i = 0; i < 30; i++) {
            second(copies, 8, SERVICE);
        }
        assertEquals(8, copies.limit());
        assertEquals(1, second(copies, 8, CopyPlaces.SHORT_WAIT_NANOS - 1));
    }

    @Test
    void whereHardlyACopyWaitsOneAtATimeIsEnoughAgain() {
        CopyPlaces copies = new CopyPlaces(8);
        for (int i = 0; i < 30; i++) {
            second(copies, 8, SERVICE);
        }
        for (int i = 0; i < 16; i++) {
            copies.ended(8, i % 8 == 0 ? 1 : 0, i % 8 == 0 ? SERVICE : SERVICE / 40);
        }
        assertEquals(8, copies.settle(now += SECOND), "every eighth waits");
        for (int i = 0; i < 16; i++) {
            copies.ended(8, i == 0 ? 1 : 0, i == 0 ? SERVICE : SERVICE / 40);
        }
        assertEquals(1, copies.settle(now += SECOND), "one of sixteen waits");
        assertEquals(2, second(copies, 8, SERVICE), "it waits for the disk again");
    }

    /** Reads take the processors for 2 ms, those that miss the disk for 7 more: as much of either at 11.4 of 40. */
    @ParameterizedTest
    @CsvSource({"8, false", "11, false", "12, true", "16, true"})
    void whereCopiesTakeTheProcessorsLongerThanTheDiskOneAtATimeIsEnough(int waiting, boolean several) {
        CopyPlaces copies = new CopyPlaces(8);
        for (int i = 0; i < 6; i++) {
            second(copies, 16, SERVICE);
        }
        assertTrue(copies.limit() > 3, "nothing but misses");
        for (int i = 0; i < 6; i++) {
            for (int copy = 0; copy < 40; copy++) {
                boolean waits = copy < waiting;
                copies.ended(copies.limit(), waits ? 1 : 0, waits ? 9_000_000 : 2_000_000);
            }
            now += SECOND;
            copies.settle(now);
        }
        assertEquals(several, copies.limit() > 1);
    }

    @Test
    void whatIsNotKnownToHaveWaitedIsNotOfTheProcessors() {
        CopyPlaces copies = new CopyPlaces(8);
        for (int i = 0; i < 10; i++) {
            int limit = copies.limit();
            for (int copy = 0; copy < 40; copy++) {
                boolean isKnown = copy % 2 == 0;
                copies.ended(limit, isKnown ? 1 : CopyPlaces.NOT_KNOWN, SERVICE);
            }
            now += SECOND;
            copies.settle(now);
        }
        assertEquals(8, copies.limit());
    }

    @Test
    void copiesThatSayTooLittleCountForNothing() {
        CopyPlaces copies = new CopyPlaces(8);
        for (int i = 0; i < 100; i++) {
            copies.ended(1, 0, SERVICE);
            copies.ended(2, 1, SERVICE);
        }
        assertEquals(1, copies.settle(now), "none began alone and waited");
        for (int i = 0; i < 7; i++) {
            copies.ended(1, 1, SERVICE);
        }
        assertEquals(1, copies.settle(now), "too few");
        copies.ended(1, 1, SERVICE);
        assertEquals(2, copies.settle(now));
        copies.reset();
        assertEquals(1, copies.limit());
    }

    /** In whatever order they end: of eight copies three wait ten times as long. */
    @Test
    void whatCountsIsTheMedian() {
        CopyPlaces copies = new CopyPlaces(8);
        assertEquals(2, second(copies, 16, SERVICE));
        for (int wait : new int[] {1, 1, 1, 10, 10, 10, 1, 1}) {
            copies.ended(2, 4, 4 * wait * SERVICE);
        }
        assertEquals(3, copies.settle(now += SECOND));
    }

    @Test
    void whatEndedBeforeItBeginsAgainCountsForNothing() {
        CopyPlaces copies = new CopyPlaces(8);
        end(copies, 200, 1, CopyPlaces.NOT_KNOWN, SERVICE);
        copies.reset();
        assertEquals(2, second(copies, 16, SERVICE), "copies that are not known to have waited");
        end(copies, 200, 2, 0, 20 * SERVICE);
        copies.reset();
        end(copies, 10, 1, 0, 1_000);
        assertEquals(2, second(copies, 16, SERVICE), "what others took that did not wait");
        end(copies, 200, 7, 1, SERVICE);
        copies.reset();
        end(copies, 8, 1, 1, SERVICE);
        end(copies, 65, 1, CopyPlaces.NOT_KNOWN, SERVICE);
        assertEquals(1, copies.settle(now += SECOND), "copies that waited");
        end(copies, 200, 7, 1, 20 * SERVICE);
        copies.reset();
        end(copies, 8, 1, 1, SERVICE);
        end(copies, 8, 1, 0, SERVICE);
        assertEquals(1, copies.settle(now += SECOND), "what they took");
        end(copies, 200, 1, 1, SERVICE);
        copies.reset();
        assertEquals(1, copies.settle(now += SECOND), "what each wait took");
    }

    @Test
    void eightCopiesTell() {
        CopyPlaces copies = new CopyPlaces(8);
        end(copies, 8, 1, 1, SERVICE);
        end(copies, 64, 1, CopyPlaces.NOT_KNOWN, SERVICE);
        assertEquals(2, copies.settle(now += SECOND), "one in nine has waited");
        end(copies, 7, 2, CopyPlaces.NOT_KNOWN, SERVICE);
        assertEquals(2, copies.settle(now += SECOND), "seven of which none has");
        end(copies, 8, 2, CopyPlaces.NOT_KNOWN, SERVICE);
        assertEquals(1, copies.settle(now += SECOND), "eight");
    }

    @Test
    void aQuarterLongerIsNotTooMuchAndWhatIsWaitsTenSeconds() {
        CopyPlaces copies = new CopyPlaces(8);
        end(copies, 8, 1, 1, SERVICE);
        assertEquals(2, copies.settle(now += SECOND));
        end(copies, 8, 2, 1, SERVICE * 5 / 4);
        assertEquals(3, copies.settle(now += SECOND));
        end(copies, 8, 3, 1, SERVICE * 5 / 4 + 1);
        assertEquals(2, copies.settle(now += SECOND));
        long tooMuch = now;
        end(copies, 8, 2, 1, SERVICE);
        assertEquals(2, copies.settle(tooMuch + CopyPlaces.RETRY_NANOS - 1));
        end(copies, 8, 2, 1, SERVICE);
        assertEquals(3, copies.settle(tooMuch + CopyPlaces.RETRY_NANOS));
    }

    @Test
    void theHighestLimitIsOneOrAbove() {
        assertEquals(
                "most is 0; allowed: 1 or above",
                assertThrows(IllegalArgumentException.class, () -> new CopyPlaces(0))
                        .getMessage());
    }

    @Test
    void whatWasTooMuchForTheDiskBeforeAResetIsTriedAtOnce() {
        CopyPlaces copies = new CopyPlaces(8);
        assertEquals(2, second(copies, 1, SERVICE));
        assertEquals(1, second(copies, 1, SERVICE), "too much");
        assertEquals(1, second(copies, 1, SERVICE), "and not tried again yet");
        copies.reset();
        end(copies, 8, 1, 4, 4 * SERVICE);
        assertEquals(2, copies.settle(now += SECOND));
    }
}
