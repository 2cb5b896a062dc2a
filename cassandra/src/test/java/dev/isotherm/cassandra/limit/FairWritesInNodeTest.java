// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import static dev.isotherm.cassandra.limit.WritingNode.idOf;
import static dev.isotherm.cassandra.limit.WritingNode.parsed;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.util.concurrent.Uninterruptibles;
import dev.isotherm.cassandra.innode.LongTimeouts;
import dev.isotherm.cassandra.innode.NodeInProcess;
import dev.isotherm.cassandra.version50.Cassandra50;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.concurrent.ExecutorLocals;
import org.apache.cassandra.concurrent.Stage;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.schema.TableMetadata;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Writes to a node's own tables through Cassandra's own way of applying them, timed and refused. */
class FairWritesInNodeTest {
    private static final int HOT = 1;
    private static final int OTHER = 2;

    private static WritingNode node;
    private static LongTimeouts timeouts;

    @BeforeAll
    static void begin() throws IOException {
        NodeInProcess.begin();
        timeouts = LongTimeouts.begin();
        node = new WritingNode("own");
    }

    @AfterAll
    static void end() {
        timeouts.end();
    }

    @BeforeEach
    void on() {
        node.share("on");
        assertTrue(node.writes.isOn() && node.counters.isOn());
    }

    @AfterEach
    void off() {
        node.share("off");
        assertFalse(node.writes.isOn() || node.counters.isOn());
        assertEquals(0, node.failures.count());
    }

    @Test
    void aWriteOnTheStatementsThreadCountsForItsPartition() throws InterruptedException {
        ExecutorLocals before = ExecutorLocals.current();
        long begun = System.nanoTime();
        for (int i = 0; i < 50; i++) {
            node.execute(node.insert(HOT));
        }
        long took = System.nanoTime() - begun;
        long held = heldOnce(node.writes, idOf(node.written, HOT));
        assertTrue(held > 0 && held < took, held + " of " + took);
        assertEquals(0, node.writes.nanosOf(idOf(node.written, OTHER)));
        assertEquals(before, ExecutorLocals.current(), "the thread's tracing and warnings are its own again");
    }

    @Test
    void aWriteThatWaitsForAThreadCountsWithoutTheWait() throws InterruptedException {
        assertCountsWithoutTheWait(Stage.MUTATION, node.writes, node.insert(HOT), idOf(node.written, HOT));
    }

    @Test
    void aCounterUpdateThatWaitsForAThreadCountsWithoutTheWait() throws InterruptedException {
        long partition = idOf(node.counted, HOT);
        assertCountsWithoutTheWait(Stage.COUNTER_MUTATION, node.counters, node.count(HOT), partition);
        assertEquals(0, node.writes.nanosOf(partition));
    }

    private static void assertCountsWithoutTheWait(Stage stage, FairPool pool, String text, long partition)
            throws InterruptedException {
        CountDownLatch busy = new CountDownLatch(stage.executor().getMaximumPoolSize());
        CountDownLatch release = new CountDownLatch(1);
        for (long i = busy.getCount(); i > 0; i--) {
            stage.execute(() -> {
                busy.countDown();
                Uninterruptibles.awaitUninterruptibly(release);
            });
        }
        assertTrue(busy.await(30, TimeUnit.SECONDS));
        Thread client = new Thread(() -> node.execute(text));
        long begun = System.nanoTime();
        client.start();
        WritingNode.untilOneWaits(stage);
        Thread.sleep(300);
        release.countDown();
        client.join();
        long held = heldOnce(pool, partition);
        // Asked last: the task goes on for a little after the client has heard of the write.
        long waited = System.nanoTime() - begun;
        assertTrue(waited >= 300_000_000 && held > 0 && held < waited - 300_000_000, held + " of " + waited);
    }

    /** The client hears of a write from inside the task, which ends a little later. */
    private static long heldOnce(FairPool pool, long partition) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (pool.nanosOf(partition) == 0 && System.nanoTime() < end) {
            Thread.sleep(1);
        }
        return pool.nanosOf(partition);
    }

    /** The read that a list's element takes to be found holds a read thread, if any. */
    @Test
    void aWriteThatReadsFirstIsNotTimed() throws InterruptedException {
        TableMetadata lists = NodeInProcess.lists("own_lists").metadata();
        node.execute("UPDATE " + lists + " SET v = [1, 2] WHERE k = " + HOT);
        long held = heldOnce(node.writes, idOf(lists, HOT));
        assertTrue(held > 0);
        node.execute("UPDATE " + lists + " SET v[0] = 3 WHERE k = " + HOT);
        node.execute("BEGIN BATCH DELETE v[0] FROM " + lists + " WHERE k = " + HOT + "; APPLY BATCH");
        assertEquals(held, node.writes.nanosOf(idOf(lists, HOT)));
    }

    @Test
    void whatIsRejectedOrBeganBeforeSharesWereOnCountsAsNothing() {
        WriteTimes times = new WriteTimes(new Cassandra50(), node.failures);
        long partition = idOf(node.written, 4);
        times.begin(node.writes, node.written, partition, 99);
        times.end(99, false);
        times.end(99, true);
        assertEquals(0, node.writes.nanosOf(partition));
        times.begin(node.writes, node.written, partition, 99);
        node.share("off");
        node.share("on");
        Uninterruptibles.sleepUninterruptibly(10, TimeUnit.MILLISECONDS);
        times.end(99, true);
        assertEquals(0, node.writes.nanosOf(partition));
        times.begin(node.writes, node.written, partition, 99);
        Uninterruptibles.sleepUninterruptibly(10, TimeUnit.MILLISECONDS);
        times.end(99, true);
        assertTrue(node.writes.nanosOf(partition) >= 10_000_000 - 16);
    }

    private static String batch(int first, int second) {
        return "BEGIN BATCH " + node.insert(first) + "; " + node.insert(second) + "; APPLY BATCH";
    }

    @Test
    void aBatchCountsIfItWritesOnePartition() throws InterruptedException {
        node.execute(batch(HOT, HOT));
        assertTrue(heldOnce(node.writes, idOf(node.written, HOT)) > 0);
        node.share("off");
        node.share("on");
        node.execute(batch(HOT, OTHER).replace("BATCH " + node.insert(HOT), "UNLOGGED BATCH " + node.insert(HOT)));
        node.execute(node.insert(3));
        assertTrue(heldOnce(node.writes, idOf(node.written, 3)) > 0);
        assertEquals(0, node.writes.nanosOf(idOf(node.written, HOT)), "the time of several partitions is nobody's");
        assertEquals(0, node.writes.nanosOf(idOf(node.written, OTHER)));
    }

    @Test
    void anUnloggedBatchOfCountersCountsAmongCounterUpdates() throws InterruptedException {
        long partition = idOf(node.counted, HOT);
        node.share("off");
        node.share("on");
        node.execute("BEGIN UNLOGGED BATCH " + node.count(HOT) + "; " + node.count(HOT) + "; APPLY BATCH");
        assertTrue(heldOnce(node.counters, partition) > 0);
        assertEquals(0, node.writes.nanosOf(partition));
    }

    @Test
    void whileWritesWaitThePartitionThatHoldsTheThreadsIsRefusedAndNothingOfItIsWritten() throws Exception {
        QueryProcessor.executeInternal("DELETE FROM " + node.written + " WHERE k = " + HOT);
        long partition = idOf(node.written, HOT);
        WritingNode.Hogs hogs = new WritingNode.Hogs(Stage.MUTATION, node.writes, node.written, partition);
        try {
            FairShareRejection rejection = refusedOnce(parsed(node.insert(HOT)));
            assertNotNull(rejection, "nothing was refused in 30 s");
            assertTrue(rejection.getMessage().contains("threads that serve writes"), rejection.getMessage());
            assertNotNull(refusedOnce(parsed(batch(HOT, HOT))), "a batch of it");
            assertTrue(QueryProcessor.executeInternal("SELECT v FROM " + node.written + " WHERE k = " + HOT)
                    .isEmpty());
            assertTrue(node.writes.refused() > 0 && node.writes.cuts() > 0 && node.counters.refused() == 0);
            assertNull(node.refusedAmong(200, parsed(node.insert(OTHER))));
            assertNull(node.refusedAmong(200, parsed(node.insert(HOT) + " IF NOT EXISTS")));
            assertNull(node.refusedAmong(200, parsed(batch(HOT, OTHER))), "no half of a batch is refused");
        } finally {
            hogs.end();
        }
    }

    /** Its own threads are idle, as those of a coordinator that is no replica always are for it. */
    @Test
    void whatReplicasHaveToldDecidesWhereTheNodesOwnSharesDoNot() {
        int told = 9;
        assertNull(node.refusedAmong(200, parsed(node.insert(told))));
        node.told(told, 1e-3, System.nanoTime() - TimeUnit.SECONDS.toNanos(3));
        assertNull(node.refusedAmong(200, parsed(node.insert(told))), "that was long ago");
        long before = node.writes.refused();
        node.told(told, 1e-3, WritingNode.fresh());
        FairShareRejection rejection = node.refusedAmong(200, parsed(node.insert(told)));
        assertTrue(rejection.getMessage().contains(" held 75 % "), rejection.getMessage());
        assertEquals(before + 1, node.writes.refused());
        assertNotNull(node.refusedAmong(200, parsed(batch(told, told))), "a batch of it");
        assertNull(node.refusedAmong(200, parsed(batch(told, OTHER))), "no half of a batch is refused");
        assertNull(node.refusedAmong(200, parsed(node.insert(OTHER))));
        assertNull(node.refusedAmong(200, parsed(node.insert(told) + " IF NOT EXISTS")));
        assertNull(node.refusedAmong(200, parsed(node.count(told))), "a counter's leader decides");
        node.share("dry_run");
        assertNull(node.refusedAmong(200, parsed(node.insert(told))));
    }

    private static FairShareRejection refusedOnce(CQLStatement statement) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        FairShareRejection rejection = null;
        while (rejection == null && System.nanoTime() < end) {
            node.look();
            Thread.sleep(10);
            rejection = node.refusedAmong(200, statement);
        }
        return rejection;
    }
}
