// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.util.concurrent.Uninterruptibles;
import dev.isotherm.cassandra.innode.NodeInProcess;
import dev.isotherm.cassandra.runtime.Failures;
import dev.isotherm.cassandra.runtime.RuntimeSwitch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.apache.cassandra.concurrent.Stage;
import org.apache.cassandra.db.ReadCommand;
import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.StorageProxy;
import org.apache.cassandra.transport.Dispatcher;
import org.apache.cassandra.utils.FBUtilities;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Reads that hold their threads for longer than an interval between two looks, before they end. */
class ReadsUnderWayInNodeTest {
    private static final long HOT = 77;
    private static final long OTHER = 78;
    private static final long FAR = TimeUnit.MINUTES.toNanos(1);
    private static final long MILLISECOND = TimeUnit.MILLISECONDS.toNanos(1);

    private static TableMetadata table;
    private static int threads;

    private final Failures failures = new Failures();
    private final RuntimeSwitch enabled = new RuntimeSwitch(true);
    private final FairPool reads = new FairPool(
            Stage.READ,
            "reads",
            new FairShareSwitch(FairShareMode.ON, enabled),
            new LimitsInForce(failures),
            1,
            WritingNode.PAUSED_BEFORE);
    private final ReadTimes times = new ReadTimes(reads, failures);
    private final CountDownLatch release = new CountDownLatch(1);
    private final List<Thread> others = new ArrayList<>();

    @BeforeAll
    static void begin() throws IOException {
        NodeInProcess.begin();
        table = NodeInProcess.table("underway", "comment = ''").metadata();
        threads = Stage.READ.executor().getMaximumPoolSize();
    }

    @BeforeEach
    void on() {
        reads.look(System.nanoTime());
        assertTrue(reads.isOn());
    }

    @AfterEach
    void releaseAll() throws InterruptedException {
        release.countDown();
        for (Thread other : others) {
            other.join();
        }
        while (Stage.READ.executor().getActiveTaskCount() > 0) {
            Thread.sleep(1);
        }
        assertEquals(0, failures.count());
    }

    /** So many threads of the stage are busy, each with this first. */
    private void busy(int count, Runnable first) throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(count);
        for (int i = 0; i < count; i++) {
            Stage.READ.execute(() -> {
                first.run();
                begun.countDown();
                Uninterruptibles.awaitUninterruptibly(release);
            });
        }
        assertTrue(begun.await(30, TimeUnit.SECONDS));
    }

    private void lookFor(long millis) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        lookUntil(() -> System.nanoTime() >= end);
    }

    /** Looks until it is so, for at most thirty seconds: in how many looks that is depends on the machine. */
    private void lookUntil(BooleanSupplier isSo) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!isSo.getAsBoolean() && System.nanoTime() < end) {
            Thread.sleep(10);
            reads.look(System.nanoTime());
        }
    }

    @Test
    void theyHoldTheirThreadsBeforeTheyEnd() throws InterruptedException {
        busy(threads, () -> times.begin(table, HOT, System.nanoTime() + FAR));
        // Of each thread, of which some has faded.
        long least = threads * 100_000_000L;
        lookUntil(() -> reads.nanosOf(HOT) > least);
        long held = reads.nanosOf(HOT);
        assertTrue(held > least, held + "");
        // Half a second after it was first seen nothing in its thread serves a read.
        lookUntil(() -> reads.nanosOf(HOT) < held / 2);
        assertTrue(reads.nanosOf(HOT) < held / 2, reads.nanosOf(HOT) + " of " + held);
    }

    @Test
    void nobodyCanHoldTooMuchWhereMostThreadsAreIdle() throws InterruptedException {
        busy(threads / 2 - 1, () -> times.begin(table, HOT, System.nanoTime() + FAR));
        lookFor(400);
        assertEquals(0, reads.nanosOf(HOT));
    }

    /** A cut has left most idle. In a time of its own, ahead of the threads' by more than they may be held up. */
    @Test
    void whileTheThreadsAreSaturatedTheFewThatAreBusyHoldThemToo() throws InterruptedException {
        long now = saturated(System.nanoTime() + FAR / 2);
        releaseAll();
        CountDownLatch releaseLast = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(1);
        Stage.READ.execute(() -> {
            times.begin(table, HOT, System.nanoTime() + FAR);
            begun.countDown();
            Uninterruptibles.awaitUninterruptibly(releaseLast);
        });
        try {
            assertTrue(begun.await(30, TimeUnit.SECONDS));
            for (int tick = 0; tick < 10; tick++) {
                reads.look(now += 10 * MILLISECOND);
            }
            assertEquals(Boolean.TRUE, reads.isSaturated());
            assertTrue(reads.nanosOf(HOT) > 0);
        } finally {
            releaseLast.countDown();
        }
    }

    /** Cassandra tells nothing of its end. */
    @Test
    void aReadOfThisNodeThatThrowsCountsUntilItsStatementFails() throws InterruptedException {
        Dispatcher.RequestTime time = timed();
        AtomicBoolean first = new AtomicBoolean(true);
        long before = System.nanoTime();
        busy(threads, () -> {
            if (first.getAndSet(false)) {
                time.computeDeadline(FAR);
            }
        });
        Thread.sleep(60);
        times.statementFails(time);
        long after = System.nanoTime();
        long held = reads.nanosOf(HOT);
        assertTrue(held > 60_000_000 && held <= after - before, held + " of " + (after - before));
        times.statementFails(timed());
        times.statementFails(Dispatcher.RequestTime.forImmediateExecution());
        assertEquals(held, reads.nanosOf(HOT), "other statements' ends are not its end");
        lookUntil(() -> reads.nanosOf(HOT) < held / 2);
        assertTrue(reads.nanosOf(HOT) < held / 2, "its thread goes on with something else");
    }

    @Test
    void whatIsRejectedBeforeItIsReadCountsAsNoRead() {
        times.begin(table, HOT, System.nanoTime() + FAR);
        times.end(false);
        times.leave();
        assertEquals(0, reads.nanosOf(HOT));
    }

    /** The thread may have done anything since. */
    @Test
    void whatBeganBeforeSharesWereSwitchedOffAndOnCountsAsNothing() throws InterruptedException {
        times.begin(table, HOT, System.nanoTime() + FAR);
        enabled.set(false);
        reads.look(System.nanoTime());
        enabled.set(true);
        reads.look(System.nanoTime());
        assertTrue(reads.isOn());
        Thread.sleep(150);
        lookFor(120);
        assertEquals(0, reads.nanosOf(HOT));
        times.leave();
        assertEquals(0, reads.nanosOf(HOT));
    }

    @Test
    void whatNobodyWaitsForAnyMoreHoldsNothing() throws InterruptedException {
        busy(threads, () -> {});
        long most = 150_000_000;
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        // Again where this machine stood still for so long that what was measured is forgotten.
        while (reads.nanosOf(HOT) == 0 && System.nanoTime() < end) {
            times.begin(table, HOT, System.nanoTime() + most);
            lookFor(200);
        }
        long held = reads.nanosOf(HOT);
        assertTrue(held > 0);
        // As long as its thread was not looked at again, what it holds would come to twice as much.
        AtomicLong largest = new AtomicLong(held);
        lookUntil(
                () -> largest.accumulateAndGet(reads.nanosOf(HOT), Math::max) > most || reads.nanosOf(HOT) < held / 4);
        assertTrue(largest.get() <= most, largest + "");
        assertTrue(reads.nanosOf(HOT) < held / 4, "it only fades");
    }

    @Test
    void aReadForAnotherCoordinatorThatIsNeverAnsweredCountsUntilItHasExpired() throws InterruptedException {
        long before = System.nanoTime();
        long expires = before + 200_000_000;
        times.begin(table, HOT, expires);
        long after = System.nanoTime();
        Thread.sleep(300);
        times.leave();
        long held = reads.nanosOf(HOT);
        // Time is counted in units of 16 ns.
        assertTrue(held > expires - after - 16 && held <= expires - before, held + "");
        times.leave();
        times.end(true);
        assertEquals(held, reads.nanosOf(HOT), "it counts once");
    }

    @Test
    void aThreadThatBeginsSomethingElseNoLongerServesTheReadBefore() {
        long begun = System.nanoTime();
        times.begin(table, HOT, begun + 5_000_000_000L);
        times.leave();
        long held = reads.nanosOf(HOT);
        assertTrue(held <= System.nanoTime() - begun, held + "");
        times.begin(table, OTHER, begun + 5_000_000_000L);
        times.end(true);
        assertEquals(held, reads.nanosOf(HOT));
        times.leave();
        assertEquals(held, reads.nanosOf(HOT));
    }

    @Test
    void aReadThatHadExpiredBeforeItBeganHoldsNothing() {
        times.begin(table, HOT, System.nanoTime() - 1_000_000);
        times.leave();
        assertEquals(0, reads.nanosOf(HOT));
    }

    /** In a time of its own: nothing runs the task that waits in the queue. */
    @Test
    void aQueueThatStandsForAnIntervalIsSeenAtItsEnd() throws InterruptedException {
        saturated(System.nanoTime());
    }

    /** Looks from this instant on until the pool is saturated, as only the last look finds; returns when that was. */
    private long saturated(long from) throws InterruptedException {
        long now = from;
        // Shares begin anew at the same instant: what has passed since they began decides when a look is due.
        enabled.set(false);
        reads.look(now);
        enabled.set(true);
        reads.look(now);
        for (int tick = 0; tick < 15; tick++) {
            reads.look(now += 10 * MILLISECOND);
        }
        busy(threads, () -> {});
        Stage.READ.execute(() -> {});
        WritingNode.untilOneWaits(Stage.READ);
        for (int tick = 0; tick <= 9; tick++) {
            reads.look(now += 10 * MILLISECOND);
            assertEquals(Boolean.FALSE, reads.isSaturated(), tick + "");
        }
        reads.look(now += 10 * MILLISECOND);
        assertEquals(Boolean.TRUE, reads.isSaturated());
        return now;
    }

    /** It asks for the deadline of what it waits for, as a thread that begins to read does. */
    @Test
    void aStatementThatWaitsForOthersHoldsNoThread() throws InterruptedException {
        busy(threads, () -> {});
        CountDownLatch waits = new CountDownLatch(1);
        start(new Thread(() -> {
            timed().computeDeadline(FAR);
            waits.countDown();
            Uninterruptibles.awaitUninterruptibly(release);
        }));
        assertTrue(waits.await(30, TimeUnit.SECONDS));
        lookFor(400);
        assertEquals(0, reads.nanosOf(HOT));
    }

    @Test
    void aStatementThatReadsOnItsOwnThreadHoldsIt() throws InterruptedException {
        busy(threads - 1, () -> {});
        CountDownLatch readsNow = new CountDownLatch(1);
        start(new Thread(() -> new StorageProxy.LocalReadRunnable(
                        read(), null, new Dispatcher.RequestTime(System.nanoTime(), System.nanoTime()) {
                            private final Dispatcher.RequestTime timed = timed();

                            @Override
                            public long computeDeadline(long verbExpiresAfterNanos) {
                                long deadline = timed.computeDeadline(verbExpiresAfterNanos);
                                if (isReading()) {
                                    readsNow.countDown();
                                    Uninterruptibles.awaitUninterruptibly(release);
                                }
                                return deadline;
                            }
                        })
                .run()));
        assertTrue(readsNow.await(30, TimeUnit.SECONDS));
        // Seen in its thread more than once: a first look finds 100 ms.
        lookUntil(() -> reads.nanosOf(HOT) > 150_000_000L);
        assertTrue(reads.nanosOf(HOT) > 150_000_000L, reads.nanosOf(HOT) + "");
    }

    /** Not yet where it only looks whether there is time left for it. */
    private static boolean isReading() {
        return StackWalker.getInstance()
                .walk(frames -> frames.anyMatch(frame -> frame.getMethodName().equals("runMayThrow")));
    }

    private Dispatcher.RequestTime timed() {
        return times.timed(Dispatcher.RequestTime.forImmediateExecution(), table, HOT, () -> false);
    }

    private static ReadCommand read() {
        return SinglePartitionReadCommand.fullPartitionRead(
                table, FBUtilities.nowInSeconds(), Int32Type.instance.decompose(1));
    }

    private void start(Thread thread) {
        // Nobody takes the answer of the read that is released in the end.
        thread.setUncaughtExceptionHandler((failed, why) -> {});
        others.add(thread);
        thread.start();
    }
}
