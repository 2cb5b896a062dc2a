// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.lab;

import com.google.common.util.concurrent.Uninterruptibles;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * A disk with a service time and a bounded queue depth: the one slow device of this node, shared by all its tables.
 *
 * <p>At most {@code parallel} reads are in service; each occupies its place for the service time; the others wait in
 * order of arrival. The saturation rate is therefore {@code parallel / serviceTime} reads a second, as with a real
 * device.
 *
 * <p>Only threads that serve reads wait here. Flush, compaction, start-up, repair and writes without a read run at
 * memory speed, so that an experiment measures its reads and not its preparations.
 */
public final class SlowDisk {
    /**
     * Local reads run on the read stage, or directly on the thread that received the client's request; the leader of a
     * counter update reads on a separate stage.
     */
    private static final String[] READER_THREADS = {"ReadStage", "Native-Transport-Requests", "CounterMutationStage"};

    private static final SlowDisk NODE = new SlowDisk(2);

    private final LongAdder reads = new LongAdder();
    private volatile Semaphore places;
    private volatile int parallel;
    private volatile int slowness = 1;
    /** Open while the disk answers. */
    private volatile CountDownLatch answering = new CountDownLatch(0);

    public SlowDisk(int parallel) {
        setParallel(parallel);
    }

    /** The disk of this process. */
    public static SlowDisk ofNode() {
        return NODE;
    }

    /** Sets the number of reads served at once; reads already in service finish under the old number. */
    public synchronized void setParallel(int requested) {
        if (requested < 1) {
            throw new IllegalArgumentException("parallel must be at least 1, not " + requested);
        }
        if (requested == parallel) {
            return;
        }
        places = new Semaphore(requested, true);
        parallel = requested;
    }

    /**
     * Sets the time of a read from now on, in service times; 0: reads do not wait, to fill caches before an experiment
     * begins. Reads are counted in any case. A disk that hung answers again.
     */
    public synchronized void setSlowness(int slowness) {
        if (slowness < 0) {
            throw new IllegalArgumentException("slowness must be at least 0, not " + slowness);
        }
        this.slowness = slowness;
        answering.countDown();
    }

    /** Answers no read from now on, not those in service either, until {@link #setSlowness} says how fast it is. */
    public synchronized void hang() {
        if (answering.getCount() == 0) {
            answering = new CountDownLatch(1);
        }
    }

    /** Serves one read for the calling thread, if it is a thread that serves reads. */
    public void read(long serviceNanos) {
        if (!isReader(Thread.currentThread().getName())) {
            return;
        }
        reads.increment();
        if (slowness == 0) {
            return;
        }
        Semaphore held = places;
        held.acquireUninterruptibly();
        try {
            // Read after the wait: a queued read is served at the disk's speed of that moment.
            long takes = serviceNanos * slowness;
            long until = System.nanoTime() + takes;
            for (long left = takes; left > 0; left = until - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
            Uninterruptibles.awaitUninterruptibly(answering);
        } finally {
            held.release();
        }
    }

    /** Reads served since the process started. */
    public long reads() {
        return reads.sum();
    }

    /** Reads that wait for a place now; without those in service. */
    public int waiting() {
        return places.getQueueLength();
    }

    static boolean isReader(String threadName) {
        for (String prefix : READER_THREADS) {
            if (threadName.startsWith(prefix)) {
                return true;
            }
        }
        return false;
    }
}
