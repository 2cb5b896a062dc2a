// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.cassandra.innode.NodeInProcess;
import dev.isotherm.cassandra.runtime.Failures;
import dev.isotherm.cassandra.runtime.RuntimeSwitch;
import dev.isotherm.cassandra.runtime.StatementExecution;
import dev.isotherm.cassandra.runtime.StatementInterceptor;
import dev.isotherm.cassandra.runtime.StatementScope;
import dev.isotherm.cassandra.runtime.UnreadableValues;
import dev.isotherm.cassandra.version50.Cassandra50;
import dev.isotherm.common.RunningClock;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.concurrent.Stage;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.service.QueryState;
import org.apache.cassandra.transport.Dispatcher;
import org.apache.cassandra.transport.ProtocolVersion;
import org.apache.cassandra.utils.FBUtilities;

/** Two tables of the node in this process, one of counters, and fair shares of the threads that write to them. */
final class WritingNode {
    /**
     * The clock of a process that was paused once, an hour ago: it shows another time than System.nanoTime(). Nothing
     * need tick it while a test waits.
     */
    static final RunningClock PAUSED_BEFORE = pausedBefore();

    final Failures failures = new Failures();
    final TableMetadata written;
    final TableMetadata counted;
    final FairPool writes;
    final FairPool counters;
    final ShareRefusals refusals = new ShareRefusals();
    final FairWrites fair;

    private static RunningClock pausedBefore() {
        long now = System.nanoTime();
        long hour = TimeUnit.HOURS.toNanos(1);
        RunningClock clock = new RunningClock(hour, 0, now - 2 * hour);
        assertEquals(2 * hour, clock.tick(now));
        return clock;
    }

    final UnreadableValues unreadable = new UnreadableValues();
    private final FairShareSwitch mode = new FairShareSwitch(FairShareMode.OFF, new RuntimeSwitch(true));
    private final StatementExecution execution;

    /** @param name begins the names of the tables */
    WritingNode(String name) {
        written = NodeInProcess.table(name + "_written", "comment = ''").metadata();
        counted = NodeInProcess.counters(name + "_counted").metadata();
        LimitsInForce limits = new LimitsInForce(failures);
        Cassandra50 version = new Cassandra50();
        writes = new FairPool(Stage.MUTATION, "writes", mode, limits, 1, PAUSED_BEFORE);
        counters = new FairPool(Stage.COUNTER_MUTATION, "counter updates", mode, limits, 1, PAUSED_BEFORE);
        fair = new FairWrites(
                writes,
                counters,
                new WriteTimes(version, failures),
                new ReplicaLookup(FBUtilities.getBroadcastAddressAndPort(), DatabaseDescriptor.getEndpointSnitch()),
                refusals,
                version,
                unreadable,
                failures);
        execution = new StatementExecution(
                List.of(new StatementInterceptor() {
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
                }),
                failures,
                () -> false);
    }

    void share(String value) {
        mode.setting().change(value);
        look();
    }

    void look() {
        writes.look(System.nanoTime());
        counters.look(System.nanoTime());
    }

    static long idOf(TableMetadata table, int key) {
        return TouchedPartition.idOfWrites(table, table.partitioner.getToken(Int32Type.instance.decompose(key)));
    }

    /** A replica, this node, has told that it admits this part of the writes to the partition, and holds 3/4. */
    void told(int key, double part, long atNanos) {
        refusals.told(
                FBUtilities.getBroadcastAddressAndPort(),
                ShareRefusals.wouldRefuse(idOf(written, key), 0.75, 0.25, part),
                atNanos);
    }

    String insert(int key) {
        return "INSERT INTO " + written + " (k, v) VALUES (" + key + ", 0)";
    }

    String count(int key) {
        return "UPDATE " + counted + " SET v = v + 1 WHERE k = " + key;
    }

    static CQLStatement parsed(String text) {
        return QueryProcessor.parseStatement(text, ClientState.forInternalCalls());
    }

    static QueryOptions options() {
        return QueryOptions.create(
                ConsistencyLevel.ONE, List.of(), false, 100, null, null, ProtocolVersion.CURRENT, "ks");
    }

    void execute(String text) {
        execute(execution, parsed(text));
    }

    static void execute(StatementExecution execution, CQLStatement statement) {
        QueryState state = new QueryState(ClientState.forInternalCalls());
        QueryOptions options = options();
        execution.execute(
                statement,
                state,
                options,
                Dispatcher.RequestTime.forImmediateExecution(),
                time -> statement.execute(state, options, time));
    }

    /** The scope of a statement that begins on this thread and is not executed. */
    static StatementScope begun(CQLStatement statement) {
        StatementScope scope = StatementScope.current();
        scope.begin(
                statement,
                new QueryState(ClientState.forInternalCalls()),
                options(),
                Dispatcher.RequestTime.forImmediateExecution());
        return scope;
    }

    /** An instant of what is told that no standstill of this machine reaches: it is believed as told. */
    static long fresh() {
        return System.nanoTime() + TimeUnit.MINUTES.toNanos(10);
    }

    /** Decides about a statement so many times, without executing it; the first refusal, or null. */
    FairShareRejection refusedAmong(int decisions, CQLStatement statement) {
        for (int i = 0; i < decisions; i++) {
            StatementScope scope = begun(statement);
            try {
                fair.admit(scope);
            } catch (FairShareRejection refused) {
                return refused;
            } finally {
                scope.end(failures);
            }
        }
        return null;
    }

    /** Returns once something waits for a thread of the stage; fails after thirty seconds. */
    static void untilOneWaits(Stage stage) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (stage.executor().getPendingTaskCount() == 0) {
            assertTrue(System.nanoTime() < end, "nothing waits");
            Thread.sleep(1);
        }
    }

    /** Looks until decisions about the partition count, for at most thirty seconds. */
    boolean isWatched(FairPool pool, long partition) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (pool.watched(partition) == null && System.nanoTime() < end) {
            look();
            Thread.sleep(10);
        }
        return pool.watched(partition) != null;
    }

    /** Operations on one partition that hold all threads of a stage, each for twenty milliseconds, over and over. */
    static final class Hogs {
        private final Stage stage;
        private final FairPool pool;
        private final TableMetadata table;
        private final long partition;
        private final CountDownLatch left;
        private volatile boolean over;

        Hogs(Stage stage, FairPool pool, TableMetadata table, long partition) {
            this.stage = stage;
            this.pool = pool;
            this.table = table;
            this.partition = partition;
            this.left = new CountDownLatch(3 * stage.executor().getMaximumPoolSize());
            for (long i = left.getCount(); i > 0; i--) {
                stage.execute(this::hold);
            }
        }

        private void hold() {
            if (over) {
                left.countDown();
                return;
            }
            try {
                Thread.sleep(20);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            pool.served(table, partition, 20_000_000);
            stage.execute(this::hold);
        }

        /** Returns when the threads are free again. */
        void end() throws InterruptedException {
            over = true;
            left.await();
        }
    }
}
