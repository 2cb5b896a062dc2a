// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.cassandra.innode.NodeInProcess;
import dev.isotherm.cassandra.runtime.Failures;
import java.io.IOException;
import java.lang.reflect.Method;
import java.time.Duration;
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
    /** Half of it is not waited for. */
    private static final long LONG_TIMEOUT_MILLIS = 120_000;

    private static final Duration AT_ONCE = Duration.ofSeconds(30);

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
    void rememberTheTimeout() {
        timeoutMillis = DatabaseDescriptor.getReadRpcTimeout(TimeUnit.MILLISECONDS);
    }

    @AfterEach
    void restoreTheTimeout() {
        DatabaseDescriptor.setReadRpcTimeout(timeoutMillis);
        assertEquals(expectedFailures, failures.count());
    }

    /** Of this node's only replica, which is asked nothing: the executor waits for as long as it would. */
    private long waitedNanos(BooleanSupplier isCut, long usualNanos, long timeout) throws ReflectiveOperationException {
        DatabaseDescriptor.setReadRpcTimeout(timeout);
        Dispatcher.RequestTime begun = Dispatcher.RequestTime.forImmediateExecution();
        LateRetryTime time = new LateRetryTime(begun, store.metadata(), isCut, failures);
        SinglePartitionReadCommand read = SinglePartitionReadCommand.fullPartitionRead(
                store.metadata(), FBUtilities.nowInSeconds(), Int32Type.instance.decompose(1));
        AbstractReadExecutor executor = AbstractReadExecutor.getReadExecutor(read, ConsistencyLevel.ONE, time);
        // The node works it out anew from time to time.
        store.sampleReadLatencyMicros = TimeUnit.NANOSECONDS.toMicros(usualNanos);
        assertEquals(Boolean.TRUE, waitsForRetry.invoke(executor), "it asks a further replica then");
        return System.nanoTime() - begun.startedAtNanos();
    }

    @Test
    void aReadOfACutPartitionIsRetriedAfterHalfOfItsTimeout() throws ReflectiveOperationException {
        long waited = waitedNanos(() -> true, USUAL_NANOS, TIMEOUT_MILLIS);
        assertTrue(waited >= TimeUnit.MILLISECONDS.toNanos(TIMEOUT_MILLIS) / 2, waited + "");
    }

    @Test
    void anyOtherReadIsRetriedWhenCassandraWouldRetryIt() {
        long waited =
                assertTimeoutPreemptively(AT_ONCE, () -> waitedNanos(() -> false, USUAL_NANOS, LONG_TIMEOUT_MILLIS));
        assertTrue(waited >= USUAL_NANOS, waited + "");
    }

    @Test
    void theRetryHasHalfOfTheTimeThatIsLeft() {
        long timeout = TimeUnit.MILLISECONDS.toNanos(TIMEOUT_MILLIS);
        DatabaseDescriptor.setReadRpcTimeout(TIMEOUT_MILLIS);
        long client = DatabaseDescriptor.getNativeTransportTimeout(TimeUnit.NANOSECONDS);
        store.sampleReadLatencyMicros = TimeUnit.NANOSECONDS.toMicros(USUAL_NANOS);
        assertEquals(timeout / 2 - USUAL_NANOS, later(0, 0));
        long left = timeout / 4;
        assertEquals(left / 2 - USUAL_NANOS, later(0, client - left), "it has waited long for a thread");
        assertEquals(0, later(0, client - USUAL_NANOS), "a later retry would have no time");
        assertEquals(0, later(0, client + 1));
        store.sampleReadLatencyMicros = TimeUnit.NANOSECONDS.toMicros(timeout / 2);
        assertEquals(0, later(0, 0), "reads usually take as long");
    }

    private long later(long enqueued, long started) {
        Dispatcher.RequestTime begun = new Dispatcher.RequestTime(enqueued, started);
        return new LateRetryTime(begun, store.metadata(), () -> true, failures).laterNanos(started);
    }

    @Test
    void aFailureOfOursLeavesTheRetryAsItIs() {
        expectedFailures = 1;
        BooleanSupplier failing = () -> {
            throw new IllegalStateException("a test's");
        };
        assertTimeoutPreemptively(AT_ONCE, () -> waitedNanos(failing, USUAL_NANOS, LONG_TIMEOUT_MILLIS));
    }

    @Test
    void whoeverElseAsksIsToldWhenItBegan() throws Exception {
        Dispatcher.RequestTime begun = new Dispatcher.RequestTime(7, 11);
        LateRetryTime time = new LateRetryTime(begun, store.metadata(), () -> true, failures);
        assertEquals(11, time.startedAtNanos());
        assertEquals(11, CompletableFuture.supplyAsync(time::startedAtNanos).get(30, TimeUnit.SECONDS));
        assertEquals(begun.baseTimeNanos(), time.baseTimeNanos());
        assertEquals(begun.clientDeadline(), time.clientDeadline());
        assertEquals(begun.computeDeadline(5), time.computeDeadline(5));
        assertEquals(begun.computeTimeout(3, 5), time.computeTimeout(3, 5));
    }
}
