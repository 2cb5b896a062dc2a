// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import com.google.common.util.concurrent.Uninterruptibles;
import dev.isotherm.cassandra.innode.NodeInProcess;
import dev.isotherm.cassandra.runtime.CutReads;
import dev.isotherm.cassandra.runtime.Failures;
import dev.isotherm.cassandra.runtime.RuntimeSwitch;
import dev.isotherm.cassandra.runtime.StatementExecution;
import dev.isotherm.cassandra.runtime.StatementInterceptor;
import dev.isotherm.cassandra.runtime.StatementScope;
import dev.isotherm.cassandra.version50.Cassandra50;
import dev.isotherm.cassandra.wire.Wire;
import dev.isotherm.cassandra.wire.WireHandlers;
import dev.isotherm.limit.Operation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.cassandra.concurrent.Stage;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.ReadCommand;
import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.Verb;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.service.QueryState;
import org.apache.cassandra.transport.Dispatcher;
import org.apache.cassandra.transport.ProtocolVersion;
import org.apache.cassandra.utils.FBUtilities;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Reads of a node's own tables through Cassandra's own way of serving them, timed and refused. */
class FairReadsInNodeTest {
    private static final int HOT = 1;
    private static final int OTHER = 2;

    private static TableMetadata table;

    private final Failures failures = new Failures();
    private final FairShareSwitch mode = new FairShareSwitch(FairShareMode.ON, new RuntimeSwitch(true));
    private final FairPool reads =
            new FairPool(Stage.READ, "reads", mode, new LimitsInForce(failures), 1, WritingNode.PAUSED_BEFORE);
    private final ReadTimes times = new ReadTimes(reads, failures);
    private final ShareRefusals refusals = new ShareRefusals();
    private final FairAdmission fair = new FairAdmission(
            reads,
            times,
            new ReplicaLookup(FBUtilities.getBroadcastAddressAndPort(), DatabaseDescriptor.getEndpointSnitch()),
            refusals,
            new UnmarkedReads(node -> true),
            Message::createdAtNanos,
            new Cassandra50(),
            failures);
    private final StatementExecution execution = new StatementExecution(
            List.of(new StatementInterceptor() {
                @Override
                public void before(StatementScope scope) {
                    fair.admit(scope);
                }

                @Override
                public void succeeded(StatementScope scope) {
                    fair.succeeded();
                }

                @Override
                public RuntimeException failed(StatementScope scope, Throwable failure) {
                    return fair.failed(scope, failure);
                }
            }),
            failures);

    @BeforeAll
    static void begin() throws IOException {
        NodeInProcess.begin();
        table = NodeInProcess.table("shared", "comment = ''").metadata();
    }

    @AfterEach
    void nothingOfOursFailed() {
        assertEquals(0, failures.count());
    }

    private static long idOf(int key) {
        return TouchedPartition.idOfReads(table, table.partitioner.getToken(Int32Type.instance.decompose(key)));
    }

    private void read(int key) {
        CQLStatement select = QueryProcessor.parseStatement(
                "SELECT v FROM ks.shared WHERE k = " + key, ClientState.forInternalCalls());
        QueryState state = new QueryState(ClientState.forInternalCalls());
        QueryOptions options = QueryOptions.create(
                ConsistencyLevel.ONE, List.of(), false, 100, null, null, ProtocolVersion.CURRENT, "ks");
        execution.execute(
                select,
                state,
                options,
                Dispatcher.RequestTime.forImmediateExecution(),
                time -> select.execute(state, options, time));
    }

    private void on() {
        WireHandlers handlers = new WireHandlers();
        times.install(handlers);
        Wire wire = new Wire(new Cassandra50(), failures);
        wire.install(handlers);
        wire.open();
        reads.look(System.nanoTime());
        assertTrue(reads.isOn());
    }

    @Test
    void aReadOnTheStatementsThreadCountsForItsPartition() {
        on();
        long begun = System.nanoTime();
        for (int i = 0; i < 50; i++) {
            read(HOT);
        }
        long took = System.nanoTime() - begun;
        long held = reads.nanosOf(idOf(HOT));
        assertTrue(held > 0 && held < took, held + " of " + took);
        assertEquals(0, reads.nanosOf(idOf(OTHER)));
    }

    @Test
    void thePartitionThatHoldsTheTimeIsKnownByItsKey() throws InterruptedException {
        on();
        List<String> names = new ArrayList<>();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (names.isEmpty() && System.nanoTime() < end) {
            for (int i = 0; i < 50; i++) {
                read(HOT);
            }
            Thread.sleep(10);
            reads.look(System.nanoTime());
            reads.forEachNamed((named, share, refused) -> {
                assertTrue(share > 0 && share <= 1, share + "");
                assertEquals(0, refused);
                names.add(named.table + " " + named.keyText() + " " + named.token);
            });
        }
        assertEquals(
                List.of(table + " " + HOT + " " + table.partitioner.getToken(Int32Type.instance.decompose(HOT))),
                names);
        assertEquals(Boolean.FALSE, reads.isSaturated());
        mode.setting().change("off");
        reads.look(System.nanoTime());
        assertNull(reads.isSaturated());
        reads.forEachNamed((named, share, refused) -> fail("nothing is measured"));
    }

    @Test
    void aReadThatWaitsForAThreadCountsWithoutTheWait() throws InterruptedException {
        on();
        read(HOT);
        long before = reads.nanosOf(idOf(HOT));
        CountDownLatch busy = new CountDownLatch(Stage.READ.executor().getMaximumPoolSize());
        CountDownLatch release = new CountDownLatch(1);
        for (long i = busy.getCount(); i > 0; i--) {
            Stage.READ.execute(() -> {
                busy.countDown();
                Uninterruptibles.awaitUninterruptibly(release);
            });
        }
        assertTrue(busy.await(30, TimeUnit.SECONDS));
        Thread client = new Thread(() -> read(HOT));
        long begun = System.nanoTime();
        client.start();
        WritingNode.untilOneWaits(Stage.READ);
        Thread.sleep(300);
        release.countDown();
        client.join();
        long waited = System.nanoTime() - begun;
        // The client hears of the read a little before it is counted.
        while (reads.nanosOf(idOf(HOT)) == before && System.nanoTime() - begun < TimeUnit.SECONDS.toNanos(30)) {
            Thread.sleep(1);
        }
        long held = reads.nanosOf(idOf(HOT)) - before;
        assertTrue(waited >= 300_000_000 && held > 0 && held < waited - 300_000_000, held + " of " + waited);
    }

    @Test
    void whileReadsWaitThePartitionThatHoldsTheThreadsIsRefused() throws InterruptedException {
        on();
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
                if (reads.watched(idOf(HOT)) != null) {
                    rejection = refusedAmong(200, HOT, true);
                }
            }
            assertTrue(rejection != null, "nothing was refused in 30 s");
            assertTrue(rejection.getMessage().startsWith("Fair share exceeded: a partition of ks.shared held "));
            read(OTHER);
            assertTrue(reads.refused() > 0 && reads.cuts() > 0);
            whatIsCutIsToldOfApart();
        } finally {
            over.set(true);
        }
        mode.setting().change("off");
        reads.look(System.nanoTime());
        read(HOT);
        assertEquals(0, fair.cutReads().underWay());
        assertFalse(fair.cutReads().has(message(HOT)), "no statement is being executed");
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
                times.begin(table, idOf(key), System.nanoTime() + 60_000_000_000L);
                begun.countDown();
                Uninterruptibles.awaitUninterruptibly(release);
                times.end();
            });
            servant.start();
            servants.add(servant);
        }
        assertTrue(begun.await(30, TimeUnit.SECONDS));
        reads.look(System.nanoTime());
        assertEquals(1, cut.underWay());
        release.countDown();
        for (Thread servant : servants) {
            servant.join();
        }
        assertEquals(0, cut.underWay());
        assertEquals(ended + 1, cut.ended());
        assertTrue(cut.nanos() > nanos);
    }

    private static Message<ReadCommand> message(int key) {
        return Message.out(
                Verb.READ_REQ,
                SinglePartitionReadCommand.fullPartitionRead(
                        table, FBUtilities.nowInSeconds(), Int32Type.instance.decompose(key)));
    }

    /**
     * Decides without serving, as the reads would wait behind the hogs.
     *
     * @param isCut whether shares decide about the partition at present
     */
    private FairShareRejection refusedAmong(int decisions, int key, boolean isCut) {
        for (int i = 0; i < decisions; i++) {
            StatementScope scope = StatementScope.current();
            CQLStatement select = WritingNode.parsed("SELECT v FROM ks.shared WHERE k = " + key);
            QueryState state = new QueryState(ClientState.forInternalCalls());
            scope.begin(select, state, WritingNode.options(), Dispatcher.RequestTime.forImmediateExecution());
            try {
                fair.admit(scope);
                assertEquals(isCut, fair.cutReads().has(message(key)));
                assertFalse(fair.cutReads().has(message(key + 1)), "another partition than the statement's");
            } catch (FairShareRejection refused) {
                return refused;
            } finally {
                scope.end(failures);
            }
        }
        return null;
    }

    /** It serves reads of the partition itself, and its own threads are idle: what it admits the others would refuse. */
    @Test
    void aReplicaThatIsNotSaturatedGoesByWhatOthersHaveTold() {
        on();
        told(System.nanoTime() - TimeUnit.SECONDS.toNanos(3));
        assertNull(refusedAmong(200, HOT, false), "that was long ago");
        long before = reads.refused();
        told(System.nanoTime());
        FairShareRejection rejection = refusedAmong(200, HOT, true);
        assertTrue(rejection.getMessage().contains(" held 75 % "), rejection.getMessage());
        assertEquals(before + 1, reads.refused());
        assertNull(refusedAmong(200, OTHER, false), "nothing is told of that one");
    }

    /** Another replica has told that it admits a thousandth. */
    private void told(long atNanos) {
        refusals.received(
                FBUtilities.getBroadcastAddressAndPort(),
                1,
                ShareRefusals.encode(idOf(HOT), 0.75, 0.25),
                ShareRefusals.encode(1e-3),
                atNanos);
    }

    @Test
    void whatIsNoReadOfOnePartitionIsNeitherTimedNorRefused() {
        on();
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
            scope.end(failures);
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
            reads.served(table, idOf(HOT), 20_000_000);
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
