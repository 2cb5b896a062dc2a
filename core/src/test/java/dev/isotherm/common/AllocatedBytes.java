// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.common;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** What the present thread allocates. */
public final class AllocatedBytes {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private AllocatedBytes() {}

    /** The bytes that the calls allocate; the least of several rounds, the first of which load classes. */
    public static long of(Runnable calls) {
        long thread = Thread.currentThread().getId();
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 5; round++) {
            long before = THREADS.getThreadAllocatedBytes(thread);
            calls.run();
            least = Math.min(least, THREADS.getThreadAllocatedBytes(thread) - before);
        }
        return least;
    }
}
