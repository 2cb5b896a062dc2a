// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.common;

import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Threads that begin at the same moment. A failure of one thread fails the test and interrupts the others. */
public final class Workers {
    /** What one of the threads does. */
    public interface Work {
        void run(int worker) throws Exception;
    }

    private Workers() {}

    public static void run(int workers, Work work) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(workers);
        try {
            CyclicBarrier together = new CyclicBarrier(workers);
            ExecutorCompletionService<Void> running = new ExecutorCompletionService<>(threads);
            for (int worker = 0; worker < workers; worker++) {
                int number = worker;
                running.submit(() -> {
                    together.await();
                    work.run(number);
                    return null;
                });
            }
            for (int worker = 0; worker < workers; worker++) {
                Future<Void> ended = running.poll(60, TimeUnit.SECONDS);
                if (ended == null) {
                    throw new AssertionError("still running after a minute");
                }
                ended.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }
}
