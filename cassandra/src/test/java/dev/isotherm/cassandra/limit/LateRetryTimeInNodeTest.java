// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.cassandra.innode.NodeInProcess;
import dev.isotherm.cassandra.runtime.Failures;
import java.io.IOException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.service.reads.AbstractReadExecutor;
import org.apache.cassandra.transport.Dispatcher;
import org.apache.cassandra.utils.FBUtilities;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When Cassandra's own read executor would ask a further replica. */
class LateRetryTimeInNodeTest {
    private static final long USUAL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long TIMEOUT_MILLIS = 600;

    private static ColumnFamilyStore store;
    private static Method waitsForRetry;

    private final Failures failures = new Failures();
    private int expectedFailures;
    private long timeoutMillis;

    @BeforeAll
    static void begin() throws IOException, NoSuchMethodException {
        NodeInProcess.begin();
        store = NodeInProcess.table("retried", "comment = ''");
        waitsForRetry = AbstractReadExecutor.class.getDeclaredMethod("shouldSpeculateAndMaybeWait");
        waitsForRetry.setAccessible(true);
    }

    @BeforeEach
    void shortenTheTimeout() {
        timeoutMillis = DatabaseDescriptor.getReadRpcTimeout(TimeUnit.MILLISECONDS);
        DatabaseDescriptor.setReadRpcTimeout(TIMEOUT_MILLIS);
    }

    @AfterEach
    void restoreTheTimeout() {
        DatabaseDescriptor.setReadRpcTimeout(timeoutMillis);
        assertEquals(expectedFailures, failures.count());
    }

    /** Of this node's only replica, which is asked nothing: the executor waits for as long as it would. */
    private static boolean retries(Dispatcher.RequestTime time) throws ReflectiveOperationException {
        SinglePartitionReadCommand read = SinglePartitionReadCommand.fullPartitionRead(
                store.metadata(), FBUtilities.nowInSeconds(), Int32Type.instance.decompose(1));
        AbstractReadExecutor executor = AbstractReadExecutor.getReadExecutor(read, ConsistencyLevel.ONE, time);
        // Each compaction and each second of a node works it out anew.
        store.sampleReadLatencyMicros = TimeUnit.NANOSECONDS.toMicros(USUAL_NANOS);
        return (Boolean) waitsForRetry.invoke(executor);
    }

    private LateRetryTime time(Dispatcher.RequestTime time, BooleanSupplier isCut) {
        return new LateRetryTime(time, store.metadata(), isCut, failures);
    }

    @Test
    void aReadOfACutPartitionIsRetriedAfterHalfOfItsTimeout() throws ReflectiveOperationException {
        Dispatcher.RequestTime begun = Dispatcher.RequestTime.forImmediateExecution();
        assertTrue(retries(time(begun, () -> true)));
        long waited = System.nanoTime() - begun.startedAtNanos();
        assertTrue(waited >= TimeUnit.MILLISECONDS.toNanos(TIMEOUT_MILLIS) / 2, waited + "");
    }

    /** Nothing else asks in this order: what this test finds of a release is what the class rests on. */
    @Test
    void cassandraAsksForTheDeadlineFirst() throws ReflectiveOperationException {
        List<String> asked = new ArrayList<>();
        Dispatcher.RequestTime recording = new Dispatcher.RequestTime(System.nanoTime(), System.nanoTime()) {
            @Override
            public long clientDeadline() {
                asked.add("deadline");
                return super.clientDeadline();
            }

            @Override
            public long startedAtNanos() {
                asked.add("start");
                return super.startedAtNanos();
            }
        };
        assertTrue(retries(recording));
        assertEquals(List.of("deadline", "start"), asked);
    }

    @Test
    void anyOtherReadIsRetriedWhenCassandraWouldRetryIt() {
        Dispatcher.RequestTime begun = new Dispatcher.RequestTime(7, 11);
        LateRetryTime time = time(begun, () -> false);
        time.clientDeadline();
        assertEquals(11, time.startedAtNanos());
    }

    @Test
    void onlyTheInstantFromWhichTheRetryCountsIsLater() {
        Dispatcher.RequestTime begun = new Dispatcher.RequestTime(7, 11);
        LateRetryTime time = time(begun, () -> true);
        assertEquals(begun.computeDeadline(5), time.computeDeadline(5));
        assertEquals(begun.computeTimeout(3, 5), time.computeTimeout(3, 5));
        assertEquals(begun.baseTimeNanos(), time.baseTimeNanos());
        assertEquals(begun.shouldSendHints(), time.shouldSendHints());
        assertEquals(11, time.startedAtNanos(), "nobody asks for a retry");
        store.sampleReadLatencyMicros = TimeUnit.NANOSECONDS.toMicros(USUAL_NANOS);
        assertEquals(begun.clientDeadline(), time.clientDeadline());
        long later = TimeUnit.MILLISECONDS.toNanos(TIMEOUT_MILLIS) / 2 - USUAL_NANOS;
        assertEquals(11 + later, time.startedAtNanos());
        assertEquals(11, time.startedAtNanos(), "once");
    }

    @Test
    void aReadThatUsuallyTakesLongerIsRetriedNoLater() {
        LateRetryTime time = time(new Dispatcher.RequestTime(7, 11), () -> true);
        store.sampleReadLatencyMicros = TimeUnit.MILLISECONDS.toMicros(TIMEOUT_MILLIS);
        time.clientDeadline();
        assertEquals(11, time.startedAtNanos());
    }

    @Test
    void otherThreadsAreToldWhenItBegan() throws Exception {
        LateRetryTime time = time(new Dispatcher.RequestTime(7, 11), () -> true);
        time.clientDeadline();
        assertEquals(11, CompletableFuture.supplyAsync(time::startedAtNanos).get());
    }

    @Test
    void aFailureOfOursLeavesTheRetryAsItIs() {
        expectedFailures = 1;
        LateRetryTime time = time(new Dispatcher.RequestTime(7, 11), () -> {
            throw new IllegalStateException("a test's");
        });
        time.clientDeadline();
        assertEquals(11, time.startedAtNanos());
    }
}
