// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.cassandra.innode.NodeInProcess;
import dev.isotherm.cassandra.runtime.Failures;
import dev.isotherm.cassandra.runtime.RuntimeSwitch;
import dev.isotherm.cassandra.runtime.StatementExecution;
import dev.isotherm.cassandra.runtime.StatementInterceptor;
import dev.isotherm.cassandra.runtime.StatementScope;
import dev.isotherm.cassandra.version50.Cassandra50;
import dev.isotherm.cassandra.wire.CustomParams;
import dev.isotherm.cassandra.wire.Wire;
import dev.isotherm.cassandra.wire.WireHandlers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiPredicate;
import org.apache.cassandra.concurrent.ExecutorLocals;
import org.apache.cassandra.concurrent.Stage;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.cql3.BatchQueryOptions;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.cql3.statements.BatchStatement;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.IMutation;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.MessagingService;
import org.apache.cassandra.net.Verb;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.service.QueryState;
import org.apache.cassandra.transport.Dispatcher;
import org.apache.cassandra.transport.ProtocolVersion;
import org.apache.cassandra.utils.FBUtilities;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Writes to a node's own tables through Cassandra's own way of applying them, timed and refused. */
class FairWritesInNodeTest {
    private static final int HOT = 1;
    private static final int OTHER = 2;
    private static final String INSERT = "INSERT INTO ks.written (k, v) VALUES (%d, 0)";
    private static final String COUNT = "UPDATE ks.counted SET v = v + 1 WHERE k = %d";

    private static final Failures FAILURES = new Failures();
    private static final FairShareSwitch MODE = new FairShareSwitch(FairShareMode.OFF, new RuntimeSwitch(true));
    private static final List<Message<?>> SENT = new ArrayList<>();
    private static final BiPredicate<Message<?>, InetAddressAndPort> KEEP = (message, to) -> {
        SENT.add(message);
        return false;
    };

    private static TableMetadata written;
    private static TableMetadata counted;
    private static FairPool writes;
    private static FairPool counters;
    private static FairWrites fair;
    private static StatementExecution execution;

    @BeforeAll
    static void begin() throws IOException {
        NodeInProcess.begin();
        written = NodeInProcess.table("written", "comment = ''").metadata();
        counted = NodeInProcess.counters("counted").metadata();
        LimitsInForce limits = new LimitsInForce(FAILURES);
        Cassandra50 version = new Cassandra50();
        writes = new FairPool(Stage.MUTATION, "writes", MODE, limits, 1);
        counters = new FairPool(Stage.COUNTER_MUTATION, "counter updates", MODE, limits, 1);
        fair = new FairWrites(
                writes,
                counters,
                new WriteTimes(version, FAILURES),
                new ReplicaLookup(FBUtilities.getBroadcastAddressAndPort(), DatabaseDescriptor.getEndpointSnitch()),
                new ShareRefusals(),
                version,
                FAILURES);
        execution = new StatementExecution(List.of(new StatementInterceptor() {
            @Override
            public void before(StatementScope scope) {
                fair.admit(scope);
            }

            @Override
            public void succeeded(StatementScope scope) {}

            @Override
            public RuntimeException failed(StatementScope scope, Throwable failure) {
                return fair.failed(scope, failure);
            }
        }));
        MessagingService.instance().outboundSink.add(KEEP);
        WireHandlers handlers = new WireHandlers();
        fair.install(handlers);
        Wire wire = new Wire(version, FAILURES);
        wire.install(handlers);
        wire.open();
    }

    @AfterAll
    static void end() {
        MessagingService.instance().outboundSink.clear();
        MessagingService.instance().inboundSink.clear();
    }

    @BeforeEach
    void on() {
        MODE.setting().change("on");
        look();
        assertTrue(writes.isOn() && counters.isOn());
    }

    @AfterEach
    void off() {
        MODE.setting().change("off");
        look();
        assertFalse(writes.isOn() || counters.isOn());
        assertEquals(0, FAILURES.count());
        SENT.clear();
    }

    private static void look() {
        writes.look(System.nanoTime());
        counters.look(System.nanoTime());
    }

    private static long idOf(TableMetadata table, int key) {
        return TouchedPartition.idOfWrites(table, table.partitioner.getToken(Int32Type.instance.decompose(key)));
    }

    private static CQLStatement parsed(String text) {
        return QueryProcessor.parseStatement(text, ClientState.forInternalCalls());
    }

    private static QueryOptions options() {
        return QueryOptions.create(
                ConsistencyLevel.ONE, List.of(), false, 100, null, null, ProtocolVersion.CURRENT, "ks");
    }

    private static void write(String text) {
        CQLStatement statement = parsed(text);
        QueryState state = new QueryState(ClientState.forInternalCalls());
        QueryOptions options = options();
        execution.execute(
                statement,
                state,
                options,
                Dispatcher.RequestTime.forImmediateExecution(),
                time -> statement.execute(state, options, time));
    }

    @Test
    void aWriteOnTheStatementsThreadCountsForItsPartition() throws InterruptedException {
        ExecutorLocals before = ExecutorLocals.current();
        long begun = System.nanoTime();
        for (int i = 0; i < 50; i++) {
            write(String.format(INSERT, HOT));
        }
        long took = System.nanoTime() - begun;
        long held = heldOnce(writes, idOf(written, HOT));
        assertTrue(held > 0 && held < took, held + " of " + took);
        assertEquals(0, writes.nanosOf(idOf(written, OTHER)));
        assertEquals(before, ExecutorLocals.current(), "the thread's tracing and warnings are its own again");
    }

    @Test
    void aWriteThatWaitsForAThreadCountsWithoutTheWait() throws InterruptedException {
        assertCountsWithoutTheWait(Stage.MUTATION, writes, String.format(INSERT, HOT), idOf(written, HOT));
    }

    @Test
    void aCounterUpdateThatWaitsForAThreadCountsWithoutTheWait() throws InterruptedException {
        assertCountsWithoutTheWait(Stage.COUNTER_MUTATION, counters, String.format(COUNT, HOT), idOf(counted, HOT));
        assertEquals(0, writes.nanosOf(idOf(counted, HOT)));
    }

    private static void assertCountsWithoutTheWait(Stage stage, FairPool pool, String text, long partition)
            throws InterruptedException {
        CountDownLatch busy = new CountDownLatch(stage.executor().getMaximumPoolSize());
        CountDownLatch release = new CountDownLatch(1);
        for (long i = busy.getCount(); i > 0; i--) {
            stage.execute(() -> {
                busy.countDown();
                waitFor(release);
            });
        }
        busy.await();
        Thread client = new Thread(() -> write(text));
        long begun = System.nanoTime();
        client.start();
        while (stage.executor().getPendingTaskCount() == 0) {
            Thread.sleep(1);
        }
        Thread.sleep(300);
        release.countDown();
        client.join();
        long waited = System.nanoTime() - begun;
        long held = heldOnce(pool, partition);
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

    @Test
    void aBatchCountsIfItWritesOnePartition() throws InterruptedException {
        write("BEGIN UNLOGGED BATCH " + String.format(INSERT, HOT) + "; " + String.format(INSERT, HOT)
                + "; APPLY BATCH");
        long one = heldOnce(writes, idOf(written, HOT));
        assertTrue(one > 0);
        write("BEGIN UNLOGGED BATCH " + String.format(INSERT, HOT) + "; " + String.format(INSERT, OTHER)
                + "; APPLY BATCH");
        assertEquals(one, writes.nanosOf(idOf(written, HOT)), "the time of several partitions is nobody's");
        assertEquals(0, writes.nanosOf(idOf(written, OTHER)));
    }

    @Test
    void whileWritesWaitThePartitionThatHoldsTheThreadsIsRefusedAndNothingOfItIsWritten() throws Exception {
        String count = "SELECT v FROM ks.written WHERE k = " + HOT;
        QueryProcessor.executeInternal("DELETE FROM ks.written WHERE k = " + HOT);
        AtomicBoolean over = new AtomicBoolean();
        CountDownLatch hogs = new CountDownLatch(3 * Stage.MUTATION.executor().getMaximumPoolSize());
        for (long i = hogs.getCount(); i > 0; i--) {
            Stage.MUTATION.execute(new Hog(over, hogs));
        }
        try {
            assertNotNull(refused(), "nothing was refused in 30 s");
            assertTrue(QueryProcessor.executeInternal(count).isEmpty());
            assertTrue(writes.refused() > 0 && writes.cuts() > 0 && counters.refused() == 0);
            assertNull(refusedAmong(200, parsed(String.format(INSERT, OTHER))));
            assertNull(refusedAmong(200, parsed(String.format(INSERT, HOT) + " IF NOT EXISTS")));
            String both = String.format(INSERT, HOT) + "; " + String.format(INSERT, OTHER) + "; APPLY BATCH";
            assertNull(refusedAmong(200, parsed("BEGIN BATCH " + both)), "no half of a batch is refused");
        } finally {
            over.set(true);
            hogs.await();
        }
    }

    private static FairShareRejection refused() throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (System.nanoTime() < end) {
            look();
            Thread.sleep(10);
            if (writes.watched(idOf(written, HOT)) != null) {
                FairShareRejection rejection = refusedAmong(200, parsed(String.format(INSERT, HOT)));
                if (rejection != null) {
                    assertTrue(rejection.getMessage().contains("threads that serve writes"), rejection.getMessage());
                    return rejection;
                }
            }
        }
        return null;
    }

    /** Decides without writing, as the writes would wait behind the hogs. */
    private static FairShareRejection refusedAmong(int decisions, CQLStatement statement) {
        for (int i = 0; i < decisions; i++) {
            StatementScope scope = StatementScope.current();
            scope.begin(
                    statement,
                    new QueryState(ClientState.forInternalCalls()),
                    options(),
                    Dispatcher.RequestTime.forImmediateExecution());
            try {
                fair.admit(scope);
            } catch (FairShareRejection refused) {
                return refused;
            } finally {
                scope.end();
            }
        }
        return null;
    }

    @Test
    void aWriteOfAnotherCoordinatorCountsIfThatHasDecidedAboutIt() throws InterruptedException {
        IMutation mutation = mutation("BEGIN BATCH " + String.format(INSERT, HOT));
        deliver(Stage.MUTATION, Verb.MUTATION_REQ, mutation, null);
        assertEquals(0, writes.nanosOf(idOf(written, HOT)));
        deliver(Stage.MUTATION, Verb.MUTATION_REQ, mutation, new byte[3]);
        assertEquals(0, writes.nanosOf(idOf(written, HOT)));
        deliver(Stage.MUTATION, Verb.MUTATION_REQ, mutation, decision(1));
        assertTrue(writes.nanosOf(idOf(written, HOT)) > 0);
        assertEquals(
                3,
                SENT.stream().filter(sent -> sent.verb() == Verb.MUTATION_RSP).count());
    }

    @Test
    void aCounterUpdateOfAnotherCoordinatorCountsIfThatHasDecidedAboutIt() throws InterruptedException {
        IMutation update = mutation("BEGIN COUNTER BATCH " + String.format(COUNT, HOT));
        deliver(Stage.COUNTER_MUTATION, Verb.COUNTER_MUTATION_REQ, update, null);
        assertEquals(0, counters.nanosOf(idOf(counted, HOT)));
        deliver(Stage.COUNTER_MUTATION, Verb.COUNTER_MUTATION_REQ, update, decision(1));
        assertTrue(counters.nanosOf(idOf(counted, HOT)) > 0);
    }

    private static IMutation mutation(String batch) {
        return ((BatchStatement) parsed(batch + "; APPLY BATCH"))
                .getMutations(
                        ClientState.forInternalCalls(),
                        BatchQueryOptions.withoutPerStatementVariables(options()),
                        false,
                        1,
                        FBUtilities.nowInSeconds(),
                        Dispatcher.RequestTime.forImmediateExecution())
                .get(0);
    }

    private static byte[] decision(int weight) {
        return ByteBuffer.allocate(8).putInt(0).putInt(weight).array();
    }

    private static <T extends IMutation> void deliver(Stage stage, Verb verb, T payload, byte[] decision)
            throws InterruptedException {
        Message<T> message = Message.out(verb, payload);
        Message<T> decided = decision == null ? message : CustomParams.with(message, "isotherm.share", decision);
        CountDownLatch done = new CountDownLatch(1);
        stage.execute(() -> {
            MessagingService.instance().inboundSink.accept(decided);
            done.countDown();
        });
        assertTrue(done.await(30, TimeUnit.SECONDS));
    }

    private static void waitFor(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A write of the hot partition that holds its thread for twenty milliseconds, and comes again. */
    private static final class Hog implements Runnable {
        private final AtomicBoolean over;
        private final CountDownLatch hogs;

        Hog(AtomicBoolean over, CountDownLatch hogs) {
            this.over = over;
            this.hogs = hogs;
        }

        @Override
        public void run() {
            if (over.get()) {
                hogs.countDown();
                return;
            }
            try {
                Thread.sleep(20);
            } catch (InterruptedException e) {
                return;
            }
            writes.served(written, idOf(written, HOT), 20_000_000);
            Stage.MUTATION.execute(this);
        }
    }
}
