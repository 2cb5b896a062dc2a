// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import com.google.common.util.concurrent.Uninterruptibles;
import dev.isotherm.cassandra.innode.NodeInProcess;
import dev.isotherm.cassandra.runtime.CutReads;
import dev.isotherm.cassandra.runtime.StatementScope;
import dev.isotherm.limit.Operation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.cassandra.concurrent.Stage;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.exceptions.ReadFailureException;
import org.apache.cassandra.exceptions.RequestFailureReason;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.service.QueryState;
import org.apache.cassandra.transport.Dispatcher;
import org.apache.cassandra.utils.FBUtilities;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Reads of a node's own tables through Cassandra's own way of serving them, timed and refused. */
class FairReadsInNodeTest {
    private static final int HOT = 1;
    private static final int OTHER = 2;
    /** Nothing else is told of it, or decided about it. */
    private static final int TOLD = 9;

    private static TableMetadata table;

    private final ReadingNode node = new ReadingNode(table);
    private final FairPool reads = node.reads;
    private final ReadTimes times = node.times;
    private final FairAdmission fair = node.fair;

    @BeforeAll
    static void begin() throws IOException {
        NodeInProcess.begin();
        table = NodeInProcess.table("shared", "comment = ''").metadata();
    }

    @AfterEach
    void nothingOfOursFailed() {
        assertEquals(0, node.failures.count());
    }

    @Test
    void aReadOnTheStatementsThreadCountsForItsPartition() {
        node.on();
        long begun = System.nanoTime();
        for (int i = 0; i < 50; i++) {
            node.read(HOT);
        }
        long took = System.nanoTime() - begun;
        long held = reads.nanosOf(node.idOf(HOT));
        assertTrue(held > 0 && held < took, held + " of " + took);
        assertEquals(0, reads.nanosOf(node.idOf(OTHER)));
    }

    @Test
    void thePartitionThatHoldsTheTimeIsKnownByItsKey() throws InterruptedException {
        node.on();
        List<String> names = new ArrayList<>();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (names.isEmpty() && System.nanoTime() < end) {
            for (int i = 0; i < 50; i++) {
                node.read(HOT);
            }
            Thread.sleep(10);
            reads.look(System.nanoTime());
            reads.forEachNamed((named, share, refused) -> {
                assertTrue(share > 0 && share <= 1, share + "");
                assertEquals(0, refused);
                names.add(named.table + " " + named.keyText() + " " + named.tokenText());
            });
        }
        assertEquals(
                List.of(table + " " + HOT + " " + table.partitioner.getToken(Int32Type.instance.decompose(HOT))),
                names);
        assertEquals(Boolean.FALSE, reads.isSaturated());
        node.mode.setting().change("off");
        reads.look(System.nanoTime());
        assertNull(reads.isSaturated());
        reads.forEachNamed((named, share, refused) -> fail("nothing is measured"));
    }

    @Test
    void aReadThatWaitsForAThreadCountsWithoutTheWait() throws InterruptedException {
        node.on();
        node.read(HOT);
        long before = countedAfter(0);
        CountDownLatch busy = new CountDownLatch(Stage.READ.executor().getMaximumPoolSize());
        CountDownLatch release = new CountDownLatch(1);
        for (long i = busy.getCount(); i > 0; i--) {
            Stage.READ.execute(() -> {
                busy.countDown();
                Uninterruptibles.awaitUninterruptibly(release);
            });
        }
        assertTrue(busy.await(30, TimeUnit.SECONDS));
        Thread client = new Thread(() -> node.read(HOT));
        long begun = System.nanoTime();
        client.start();
        WritingNode.untilOneWaits(Stage.READ);
        Thread.sleep(300);
        release.countDown();
        client.join();
        long held = countedAfter(before) - before;
        // Asked last: the task goes on for a little after the client has heard of the read.
        long waited = System.nanoTime() - begun;
        assertTrue(waited >= 300_000_000 && held > 0 && held < waited - 300_000_000, held + " of " + waited);
    }

    /** The refusal of another replica ends the statement, not what this node has begun to read for it. */
    @Test
    void aReadThatFailsAtAnotherReplicaGoesOnHere() throws Exception {
        node.on();
        failWhileServed(Map.of(InetAddressAndPort.getByName("127.0.0.99"), RequestFailureReason.UNKNOWN));
        assertEquals(0, reads.nanosOf(node.idOf(HOT)));
        failWhileServed(Map.of(FBUtilities.getBroadcastAddressAndPort(), RequestFailureReason.UNKNOWN));
        assertTrue(reads.nanosOf(node.idOf(HOT)) > 0);
    }

    /** A limit, too, has something to say about it. */
    @Test
    void aReadKeepsTheTimeOfTheSharesWhereReplicasDecideAboutItsLimit() {
        node.on();
        DelegatedRequest delegated = new DelegatedAdmission(null, null, null)
                .begin(List.of(), List.of(), Decided.NOTHING, 0, 1, Dispatcher.RequestTime.forImmediateExecution());
        try {
            StatementScope scope = WritingNode.begun(node.select(HOT));
            fair.admit(scope);
            Dispatcher.RequestTime timed = scope.requestTime();
            AdmissionInterceptor.delegate(scope, delegated);
            assertSame(timed, scope.requestTime());
            assertInstanceOf(LateRetryTime.class, timed);
            scope.end(node.failures);

            scope = WritingNode.begun(WritingNode.parsed("INSERT INTO ks.shared (k, v) VALUES (1, 1)"));
            AdmissionInterceptor.delegate(scope, delegated);
            assertSame(delegated.requestTime(), scope.requestTime());
            AdmissionInterceptor.delegate(scope, null);
            assertSame(delegated.requestTime(), scope.requestTime());
            scope.end(node.failures);
        } finally {
            DelegatedRequest.leave();
        }
    }

    /** Lets a statement fail whose read a thread of the stage has begun. */
    private void failWhileServed(Map<InetAddressAndPort, RequestFailureReason> failed) throws InterruptedException {
        StatementScope scope = WritingNode.begun(node.select(HOT));
        try {
            fair.admit(scope);
            Dispatcher.RequestTime time = scope.requestTime();
            CountDownLatch begun = new CountDownLatch(1);
            Stage.READ.execute(() -> {
                time.computeDeadline(TimeUnit.MINUTES.toNanos(1));
                begun.countDown();
            });
            assertTrue(begun.await(30, TimeUnit.SECONDS));
            assertNull(fair.failed(scope, new ReadFailureException(ConsistencyLevel.QUORUM, 1, 2, false, failed)));
        } finally {
            scope.end(node.failures);
        }
    }

    /** The hot partition's time once it is no longer this: a client hears of a read a little before it is counted. */
    private long countedAfter(long nanos) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (reads.nanosOf(node.idOf(HOT)) == nanos && System.nanoTime() < end) {
            Thread.sleep(1);
        }
        return reads.nanosOf(node.idOf(HOT));
    }

    @Test
    void whileReadsWaitThePartitionThatHoldsTheThreadsIsRefused() throws InterruptedException {
        node.on();
        AtomicBoolean over = new AtomicBoolean();
        int threads = Stage.READ.executor().getMaximumPoolSize();
        for (int i = 0; i < 3 * threads; i++) {
            Stage.READ.execute(new Hog(over));
        }
        FairShareRejection rejection = null;
        try {
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
            while (rejection == null && System.nanoTime() < end) {
                reads.look(System.nanoTime());
                Thread.sleep(10);
                if (reads.watched(node.idOf(HOT)) != null) {
                    rejection = node.refusedAmong(200, HOT, () -> reads.watched(node.idOf(HOT)) != null);
                }
            }
            assertTrue(rejection != null, "nothing was refused in 30 s");
            assertTrue(rejection.getMessage().startsWith("Fair share exceeded: a partition of ks.shared held "));
            node.read(OTHER);
            assertTrue(reads.refused() > 0 && reads.cuts() > 0);
            whatIsCutIsToldOfApart();
        } finally {
            over.set(true);
        }
        node.mode.setting().change("off");
        reads.look(System.nanoTime());
        node.read(HOT);
        assertEquals(0, fair.cutReads().underWay());
        assertFalse(fair.cutReads().has(node.message(HOT)), "no statement is being executed");
    }

    /** By it no replica is to be judged. */
    private void whatIsCutIsToldOfApart() throws InterruptedException {
        CutReads cut = fair.cutReads();
        long ended = cut.ended();
        long nanos = cut.nanos();
        CountDownLatch begun = new CountDownLatch(2);
        CountDownLatch release = new CountDownLatch(1);
        List<Thread> servants = new ArrayList<>();
        for (int key : new int[] {HOT, OTHER}) {
            Thread servant = new Thread(() -> {
                times.begin(table, node.idOf(key), System.nanoTime() + 60_000_000_000L);
                begun.countDown();
                Uninterruptibles.awaitUninterruptibly(release);
                times.end(true);
            });
            servant.start();
            servants.add(servant);
        }
        assertTrue(begun.await(30, TimeUnit.SECONDS));
        // Once shares decide again, where this machine stood still: what they decided before is too old then.
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        int underWay = 0;
        while (underWay == 0 && System.nanoTime() < end) {
            reads.look(System.nanoTime());
            underWay = cut.underWay();
        }
        assertEquals(1, underWay);
        release.countDown();
        for (Thread servant : servants) {
            servant.join();
        }
        assertEquals(0, cut.underWay());
        assertEquals(ended + 1, cut.ended());
        assertTrue(cut.nanos() > nanos);
    }

    /** It serves reads of the partition itself, and its threads are idle: what it admits the others would refuse. */
    @Test
    void aReplicaThatIsNotSaturatedGoesByWhatOthersHaveTold() {
        node.on();
        told(System.nanoTime() - TimeUnit.SECONDS.toNanos(3));
        assertNull(node.refusedAmong(200, TOLD, () -> false), "that was long ago");
        long before = reads.refused();
        told(WritingNode.fresh());
        FairShareRejection rejection = node.refusedAmong(200, TOLD, () -> true);
        assertTrue(rejection.getMessage().contains(" held 75 % "), rejection.getMessage());
        assertEquals(before + 1, reads.refused());
        assertNull(node.refusedAmong(200, OTHER, () -> false), "nothing is told of that one");
    }

    /** Another replica has told that it admits a thousandth. */
    private void told(long atNanos) {
        node.refusals.received(
                FBUtilities.getBroadcastAddressAndPort(),
                1,
                ShareRefusals.encode(node.idOf(TOLD), 0.75, 0.25),
                ShareRefusals.encode(1e-3),
                atNanos);
    }

    @Test
    void whatIsNoReadOfOnePartitionIsNeitherTimedNorRefused() {
        node.on();
        for (String text : new String[] {"SELECT v FROM ks.shared", "SELECT v FROM ks.shared WHERE k IN (1, 2)"}) {
            StatementScope scope = StatementScope.current();
            QueryOptions options = QueryOptions.forInternalCalls(ConsistencyLevel.ONE, List.of());
            Dispatcher.RequestTime time = Dispatcher.RequestTime.forImmediateExecution();
            scope.begin(
                    QueryProcessor.parseStatement(text, ClientState.forInternalCalls()),
                    new QueryState(ClientState.forInternalCalls()),
                    options,
                    time);
            fair.admit(scope);
            assertEquals(time, scope.requestTime());
            scope.end(node.failures);
        }
    }

    /** A read of the hot partition that holds its thread for twenty milliseconds, and comes again. */
    private final class Hog implements Runnable {
        private final AtomicBoolean over;

        Hog(AtomicBoolean over) {
            this.over = over;
        }

        @Override
        public void run() {
            if (over.get()) {
                return;
            }
            try {
                Thread.sleep(20);
            } catch (InterruptedException e) {
                return;
            }
            reads.served(table, node.idOf(HOT), 20_000_000);
            Stage.READ.execute(this);
        }
    }

    @Test
    void aRefusalIsAConfigurationErrorWithoutAStackTrace() {
        FairShareRejection rejection = assertThrows(FairShareRejection.class, () -> {
            throw new FairShareRejection(table, Operation.READ, 1, 0.5);
        });
        assertEquals(0, rejection.getStackTrace().length);
    }
}
