// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.queue.QueueDepth;
import dev.isotherm.queue.ServiceWeights;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.concurrent.ResizableThreadPool;
import org.junit.jupiter.api.Test;

/** The service time of an update, measured by a stage's counts. */
class LocalQueueTest {
    private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final Stage stage = new Stage();
    private final ServiceWeights weights = new ServiceWeights(Stage.THREADS, 500_000, TimeUnit.SECONDS.toNanos(10), 0);
    private long ownTasks;
    private final LocalQueue queue = new LocalQueue(stage, () -> ownTasks, weights, 0);
    private long now;

    @Test
    void whatIsServedTellsHowLongOneTakes() {
        samples(400, 4, 10);
        assertTakes(4 * STEP_NANOS / 10);
    }

    /** As those that measure how long updates wait. */
    @Test
    void theTasksOfThePluginAreNoUpdates() {
        for (int i = 0; i < 400; i++) {
            ownTasks += 10;
            samples(1, 4, 20);
        }
        assertTakes(4 * STEP_NANOS / 10);
        long known = queue.serviceNanos();
        ownTasks++;
        samples(1, 4, 0);
        assertTrue(queue.serviceNanos() >= known, "it is counted by the plugin before the stage counts it");
    }

    @Test
    void depthIsWhatWaitsAndWhatIsServed() {
        stage.pending = 5;
        stage.active = 3;
        assertEquals(8, queue.depth());
        assertEquals(8, QueueDepth.decode(queue.encoded()));
    }

    @Test
    void updatesThatDoNotEndCountForAsLongAsTheyHaveTakenSoFar() {
        samples(400, 4, 10);
        samples(1, 4, 0);
        assertTakes(4 * STEP_NANOS / 10, "just begun, for all that is known");
        samples(59, 4, 0);
        assertTakes(59 * STEP_NANOS);
        weights.told(TimeUnit.MILLISECONDS.toNanos(20), now);
        assertTrue(queue.weighedDepth(now) > 100, () -> "weighed " + queue.weighedDepth(now));
    }

    /** Otherwise a slow node, which leads nothing, would never show that it is fast again. */
    @Test
    void anIdleNodeIsTriedAgainWithOneUpdate() {
        samples(400, 4, 1);
        samples(19, 0, 0);
        assertTakes(4 * STEP_NANOS);
        samples(1, 0, 0);
        assertEquals(0, queue.serviceNanos());
        assertEquals(0, queue.weighedDepth(now));
        samples(1, 1, 0);
        assertTakes(4 * STEP_NANOS, "a second update before the first has ended");
        samples(1, 0, 1);
        assertTakes(STEP_NANOS / 2, "what it took now, not then");
    }

    /** A stage's counters are read one after the other while others change them. */
    @Test
    void lessThanNothingServedCountsAsNothing() {
        samples(400, 4, 10);
        samples(1, -1, 1);
        assertEquals(0, queue.depth());
        assertTrue(queue.serviceNanos() >= 0);
    }

    @Test
    void aNodeThatHasServedNothingYetSaysSo() {
        samples(10, 0, 0);
        assertEquals(0, queue.serviceNanos());
        assertEquals(0, queue.weighedDepth(now));
    }

    private void assertTakes(long nanos) {
        assertTakes(nanos, "");
    }

    private void assertTakes(long nanos, String when) {
        assertEquals(nanos, queue.serviceNanos(), nanos * 1e-3, when);
    }

    private void samples(int times, int active, int servedEach) {
        for (int i = 0; i < times; i++) {
            now += STEP_NANOS;
            stage.active = active;
            stage.served += servedEach;
            queue.sample(now);
        }
    }

    /** A stage whose counts the test sets. */
    static final class Stage implements ResizableThreadPool {
        static final int THREADS = 32;

        int pending;
        int active;
        long served;

        @Override
        public int getPendingTaskCount() {
            return pending;
        }

        @Override
        public int getActiveTaskCount() {
            return active;
        }

        @Override
        public long getCompletedTaskCount() {
            return served;
        }

        @Override
        public int getCorePoolSize() {
            return THREADS;
        }

        @Override
        public void setCorePoolSize(int size) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int getMaximumPoolSize() {
            return THREADS;
        }

        @Override
        public void setMaximumPoolSize(int size) {
            throw new UnsupportedOperationException();
        }
    }
}
