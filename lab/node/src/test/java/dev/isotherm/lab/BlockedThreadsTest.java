// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class BlockedThreadsTest {
    private final List<Long> waits = new ArrayList<>();

    @Test
    void threadsOfEachKindBlockSoManyTimes() {
        BlockedThreads threads = new BlockedThreads(5, Map.of("ReadStage", 2, "GossipStage", 1), waits::add);
        for (String thread : List.of("ReadStage-1", "GossipStage:1", "ReadStage-7", "ReadStage-1", "MutationStage-1")) {
            threads.befall(thread);
        }
        assertEquals(List.of(5L, 5L, 5L), waits);
        assertEquals(Map.of("ReadStage", 2, "GossipStage", 1), threads.blocked());
    }

    @Test
    void whileOneBlocksNoOtherDoes() throws InterruptedException {
        CountDownLatch blocks = new CountDownLatch(1);
        CountDownLatch goesOn = new CountDownLatch(1);
        BlockedThreads threads = new BlockedThreads(5, Map.of("ReadStage", 2), nanos -> {
            blocks.countDown();
            try {
                goesOn.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        Thread held = new Thread(() -> threads.befall("ReadStage-1"));
        held.start();
        blocks.await();
        threads.befall("ReadStage-2");
        assertEquals(Map.of("ReadStage", 1), threads.blocked());
        goesOn.countDown();
        held.join();
        threads.befall("ReadStage-2");
        assertEquals(Map.of("ReadStage", 2), threads.blocked());
    }
}
