// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class BlockedHooksTest {
    private final List<Long> waits = new ArrayList<>();

    @Test
    void eachHookBlocksOnce() {
        BlockedHooks hooks = new BlockedHooks(5, 0, 1, waits::add);
        for (String hook : List.of("a", "b", "a", "b")) {
            hooks.befall(hook);
        }
        assertEquals(List.of(5L, 5L), waits);
        String thread = BlockedHooks.kindOf(Thread.currentThread().getName());
        assertEquals(Map.of("a", thread, "b", thread), hooks.threads());
    }

    @Test
    void theNodesShareTheHooks() {
        List<BlockedHooks> nodes =
                List.of(new BlockedHooks(5, 0, 2, waits::add), new BlockedHooks(5, 1, 2, waits::add));
        for (String hook : List.of("a", "b", "c")) {
            nodes.forEach(node -> node.befall(hook));
        }
        assertEquals(3, waits.size());
        assertEquals(3, nodes.get(0).threads().size() + nodes.get(1).threads().size());
    }

    @Test
    void whileOneBlocksNoOtherDoesAndItsTurnComesLater() throws InterruptedException {
        CountDownLatch blocks = new CountDownLatch(1);
        CountDownLatch goesOn = new CountDownLatch(1);
        BlockedHooks hooks = new BlockedHooks(5, 0, 1, nanos -> {
            blocks.countDown();
            try {
                goesOn.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        Thread held = new Thread(() -> hooks.befall("a"), "Stage-12");
        held.start();
        blocks.await();
        hooks.befall("b");
        assertEquals(Map.of("a", "Stage"), hooks.threads());
        goesOn.countDown();
        held.join();
        hooks.befall("b");
        assertEquals(2, hooks.threads().size());
    }

    @Test
    void aPartThatThereIsNotIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> new BlockedHooks(5, 3, 3, waits::add));
    }

    @Test
    void threadsOfAPoolAreOfOneKind() {
        assertEquals("Native-Transport-Requests", BlockedHooks.kindOf("Native-Transport-Requests-12"));
        assertEquals("GossipStage", BlockedHooks.kindOf("GossipStage:1"));
        assertEquals("Isotherm", BlockedHooks.kindOf("Isotherm"));
    }
}
