// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.share;

import dev.isotherm.common.VirtualTime;
import java.util.ArrayDeque;
import java.util.Deque;

/** A disk in virtual time that serves so many chunks at a time, those that have waited longest first. */
final class VirtualDisk {
    private final VirtualTime time;
    private final int parallel;
    private final double chunkSeconds;
    private final Deque<Runnable> waiting = new ArrayDeque<>();
    private int served;

    VirtualDisk(VirtualTime time, int parallel, double chunkSeconds) {
        this.time = time;
        this.parallel = parallel;
        this.chunkSeconds = chunkSeconds;
    }

    /** Reads one chunk after the other: as many as take so long if none waits. */
    void read(double seconds, Runnable end) {
        chunks((int) Math.round(seconds / chunkSeconds), end);
    }

    private void chunks(int left, Runnable end) {
        if (left == 0) {
            end.run();
            return;
        }
        waiting.add(() -> {
            served--;
            chunks(left - 1, end);
            serve();
        });
        serve();
    }

    private void serve() {
        while (served < parallel && !waiting.isEmpty()) {
            served++;
            time.after(chunkSeconds, waiting.poll());
        }
    }
}
