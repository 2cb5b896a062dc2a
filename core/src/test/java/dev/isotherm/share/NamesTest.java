// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.share;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Which partitions get a name, and when. */
class NamesTest {
    private final NamedPartitions<String> named = new NamedPartitions<>();

    private void saw(long partition, String name) {
        named.saw(partition, 0.5, () -> name);
    }

    private List<String> names() {
        List<String> names = new ArrayList<>();
        named.forEach(partition -> 1.0 / partition, (name, share, refused) -> names.add(name));
        return names;
    }

    @Test
    void oneOperationInEightLooks() {
        int looking = 0;
        for (int random = -4_000; random < 4_000; random++) {
            looking += NamedPartitions.looks(random) ? 1 : 0;
        }
        assertEquals(1_000, looking);
    }

    @Test
    void aNameIsKeptAndMadeOnce() {
        saw(1, "first");
        named.saw(1, 0.5, () -> {
            throw new AssertionError("it has a name");
        });
        assertEquals(List.of("first"), names());
    }

    @Test
    void whatWasForgottenIsNamedAnewWhenItIsLargeAgain() {
        saw(1, "a");
        saw(2, "b");
        named.tick(1, partition -> partition == 1 ? 0 : 0.5);
        assertEquals(List.of("b"), names());
        saw(1, "again");
        assertEquals(List.of("again", "b"), names());
        named.clear();
        saw(2, "anew");
        assertEquals(List.of("anew"), names());
    }

    /** Ten operations a second are hardly anything: one each on thousands of partitions are not large beside them. */
    @Test
    void aBurstAfterIdlenessNamesNobody() {
        FairShare shares = new FairShare(1024, 1, new Unheard(), VirtualPool.unpaused(), 0);
        for (int look = 1; look <= 50; look++) {
            shares.served(1, 200_000);
            shares.look(0, 32, 0.002, look * FairShare.INTERVAL_NANOS);
        }
        for (int partition = 2; partition < 5_002; partition++) {
            shares.served(partition, 1_000_000);
            named.saw(partition, shares.partOfServed(partition), () -> "one operation");
        }
        assertEquals(List.of(), names());
        for (int operation = 0; operation < 10; operation++) {
            shares.served(7, 1_000_000);
        }
        named.saw(7, shares.partOfServed(7), () -> "many");
        assertEquals(List.of("many"), names());
    }

    /** A thread that serves a request waits for nobody to learn that there is no room. */
    @Test
    void whereNoRoomIsNobodyWaits() {
        for (int partition = 1; partition <= NamedPartitions.MOST; partition++) {
            saw(partition, "p");
        }
        synchronized (named) {
            assertTimeoutPreemptively(
                    Duration.ofSeconds(10),
                    () -> CompletableFuture.runAsync(() -> saw(-1, "one more")).get());
        }
        assertEquals(NamedPartitions.MOST, names().size());
    }

    @Test
    void halfOfWhatAPartitionIsNamedForKeepsTheName() {
        saw(1, "a");
        named.tick(1, partition -> NamedPartitions.LEAST_PART / 2);
        assertEquals(List.of("a"), names());
        named.tick(1, partition -> Math.nextDown(NamedPartitions.LEAST_PART / 2));
        assertEquals(List.of(), names());
    }

    @Test
    void aRefusalOfTheTimeBetweenTwoTicksCountsByItsLength() {
        saw(1, "a");
        double[] rate = {0};
        for (int tick = 0; tick < 60; tick++) {
            for (int i = 0; i < 100; i++) {
                named.refused(1);
            }
            named.tick(2, partition -> 0.5);
        }
        named.forEach(partition -> 0.5, (name, share, refused) -> rate[0] = refused);
        assertEquals(50, rate[0], 0.1);
    }
}
