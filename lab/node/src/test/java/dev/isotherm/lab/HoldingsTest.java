// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.Reference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HoldingsTest {
    private static final class Held {}

    @Test
    void objectsThatAreHeldAreCountedAndThoseThatAreGarbageAreNot() throws Exception {
        Held[] held = new Held[5];
        for (int turn = 0; turn < 50; turn++) {
            held[turn % held.length] = new Held();
        }
        Matcher line = Pattern.compile("(\\d+) +\\d+ +" + Pattern.quote(Held.class.getName()))
                .matcher(Holdings.liveObjects());
        assertTrue(line.find());
        assertEquals(held.length, Integer.parseInt(line.group(1)));
        Reference.reachabilityFence(held);
    }

    @Test
    void theFilesHaveTheSumOfAllObjectsAndEachThreadWithItsGroup(@TempDir Path directory) throws Exception {
        CountDownLatch seen = new CountDownLatch(1);
        Thread thread = new Thread(new ThreadGroup("SharedPool"), () -> awaited(seen), "ReadStage-7");
        thread.start();
        try {
            Holdings.write(directory);
        } finally {
            seen.countDown();
        }
        assertTrue(Files.readString(directory.resolve("heap.txt"))
                .strip()
                .lines()
                .reduce((line, last) -> last)
                .orElseThrow()
                .matches("Total +\\d+ +\\d+"));
        assertTrue(Files.readAllLines(directory.resolve("threads.tsv")).contains("SharedPool\tReadStage-7"));
    }

    private static void awaited(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
