// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.cassandra.Addresses;
import dev.isotherm.limit.Operation;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.exceptions.ReadFailureException;
import org.apache.cassandra.exceptions.RequestFailureException;
import org.apache.cassandra.exceptions.RequestFailureReason;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.transport.Dispatcher;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DelegatedRequestTest {
    private static final long MESSAGE = 7;
    private static final InetAddressAndPort FIRST = Addresses.node(1);
    private static final InetAddressAndPort SECOND = Addresses.node(2);

    private final LimitedTable table = LimitedTables.table("t", 1, 1, false);
    private final TouchedPartition here = LimitedTables.partition(table, Operation.WRITE, 1);
    private final TouchedPartition there = LimitedTables.partition(table, Operation.WRITE, 2);
    private final TouchedPartition further = LimitedTables.partition(table, Operation.WRITE, 3);
    private DelegatedRequest request;
    /** The number of hints stored for the request, by Cassandra or as owed hints. */
    private int stored;

    @AfterEach
    void leaveTheThread() {
        DelegatedRequest.leave();
    }

    private void begin() {
        stored = 0;
        request = new DelegatedRequest(
                1,
                0,
                List.of(here, there, further),
                List.of(there, further),
                Decided.NOTHING,
                1,
                new Dispatcher.RequestTime(0, 0));
        request.sent(MESSAGE, null);
    }

    /** Cassandra's reaction to the failure of a replica. */
    private void fail() {
        if (request.requestTime().shouldSendHints()) {
            stored++;
        }
    }

    private void end(Outcome outcome) {
        stored += request.end(outcome).size();
    }

    /** A rejection and the end of its request, in either order and one during the other. */
    private List<Runnable> everyOrder(InetAddressAndPort replica, Outcome outcome) {
        return List.of(
                () -> {
                    request.rejected(there.id, replica, MESSAGE, this::fail);
                    end(outcome);
                },
                () -> {
                    end(outcome);
                    request.rejected(there.id, replica, MESSAGE, this::fail);
                },
                () -> {
                    end(outcome);
                    // The request has ended: only Cassandra handles the failure.
                    fail();
                },
                () -> request.rejected(there.id, replica, MESSAGE, () -> {
                    // Cassandra wakes the request's thread before it checks whether to store a hint.
                    end(outcome);
                    fail();
                }),
                () -> request.rejected(there.id, replica, MESSAGE, () -> {
                    fail();
                    end(outcome);
                }));
    }

    @Test
    void pastADeadlineThatCassandraEnforcesNoHintIsOwed() {
        begin();
        DatabaseDescriptor.setEnforceNativeDeadlineForHints(true);
        everyOrder(FIRST, Outcome.NOT_REJECTED).get(0).run();
        DatabaseDescriptor.setEnforceNativeDeadlineForHints(false);
        assertEquals(0, stored);
    }

    @Test
    void aRejectedWriteLeavesNoHintOfItsRejection() {
        for (int order = 0; order < 5; order++) {
            begin();
            everyOrder(FIRST, Outcome.REJECTED).get(order).run();
            assertEquals(0, stored, "order " + order);
        }
    }

    @Test
    void anAcknowledgedWriteLeavesOneHintForEachReplicaThatRejectedIt() {
        for (int order = 0; order < 5; order++) {
            begin();
            everyOrder(FIRST, Outcome.NOT_REJECTED).get(order).run();
            assertEquals(1, stored, "order " + order);
        }
    }

    @ParameterizedTest
    @EnumSource(value = Outcome.class, names = "UNDECIDED", mode = EnumSource.Mode.EXCLUDE)
    void twoReplicasMayRejectBeforeAndAfterTheEnd(Outcome outcome) {
        for (int order = 0; order < 5; order++) {
            begin();
            request.rejected(there.id, SECOND, MESSAGE, this::fail);
            everyOrder(FIRST, outcome).get(order).run();
            assertEquals(outcome == Outcome.REJECTED ? 0 : 2, stored, "order " + order);
            begin();
            everyOrder(FIRST, outcome).get(order).run();
            request.rejected(there.id, SECOND, MESSAGE, this::fail);
            assertEquals(outcome == Outcome.REJECTED ? 0 : 2, stored, "order " + order);
        }
    }

    @Test
    void aReplicaThatFailsOtherwiseIsOwedItsHintUntilTheWriteIsRejected() {
        begin();
        fail();
        assertEquals(1, stored);
        assertFalse(request.answers().areRejectionsOf(Set.of(FIRST)));
        end(Outcome.REJECTED);
        fail();
        assertEquals(1, stored);
    }

    /** A replica that died after the decision: its hint is stored before the others reject. */
    @Test
    void aWriteOfWhichAHintIsStoredIsNotRejected() {
        begin();
        fail();
        request.rejected(there.id, SECOND, MESSAGE, this::fail);
        assertFalse(request.endWithoutHints());
        end(Outcome.NOT_REJECTED);
        assertEquals(2, stored, "as in plain Cassandra");
    }

    @Test
    void onceAWriteIsRejectedNoHintOfItIsStored() {
        begin();
        request.rejected(there.id, SECOND, MESSAGE, this::fail);
        assertTrue(request.endWithoutHints());
        fail();
        end(Outcome.REJECTED);
        fail();
        assertEquals(0, stored);
    }

    @Test
    void aRejectedWriteThatAReplicaAppliedIsCountedOnceWheneverThatShows() {
        for (int moment = 0; moment < 3; moment++) {
            begin();
            askBoth();
            long before = table.counts.partlyApplied.sum();
            for (int now = 0; now < 3; now++) {
                if (now == moment) {
                    request.answers().applied();
                }
                if (now == 0) {
                    request.rejected(there.id, FIRST, MESSAGE, this::fail);
                } else if (now == 1) {
                    end(Outcome.REJECTED);
                }
            }
            request.answers().applied();
            assertEquals(before + 1, table.counts.partlyApplied.sum(), "moment " + moment);
            assertFalse(request.answers().areAwaited());
        }
    }

    @Test
    void anAcknowledgedWriteIsNotPartlyApplied() {
        begin();
        askBoth();
        request.rejected(there.id, FIRST, MESSAGE, this::fail);
        request.answers().applied();
        end(Outcome.NOT_REJECTED);
        request.answers().applied();
        assertEquals(0, table.counts.partlyApplied.sum());
        assertFalse(request.answers().areAwaited());
    }

    @Test
    void answersAreAwaitedUntilAllHaveRejected() {
        begin();
        askBoth();
        assertTrue(request.answers().areAwaited());
        request.rejected(there.id, FIRST, MESSAGE, this::fail);
        assertTrue(request.answers().areAwaited());
        end(Outcome.REJECTED);
        assertTrue(request.answers().areAwaited());
        request.answers().rejected(SECOND);
        assertFalse(request.answers().areAwaited());
        assertEquals(0, table.counts.partlyApplied.sum());
    }

    /** A replica that hangs must not make its coordinator keep what it was to write. */
    @Test
    void aRejectedWriteOfWhichAReplicaSaysNothingIsKeptWithoutWhatItWrites() {
        begin();
        AwaitedAnswers awaited = new AwaitedAnswers();
        awaited.sent(MESSAGE, request.answers());
        askBoth();
        request.rejected(there.id, FIRST, MESSAGE, this::fail);
        end(Outcome.REJECTED);
        awaited.ended(request.answers());
        assertEquals(1, awaited.size());
        WeakReference<DelegatedRequest> ended = new WeakReference<>(request);
        request = null;
        DelegatedRequest.leave();
        for (int i = 0; i < 100 && ended.get() != null; i++) {
            System.gc();
        }
        assertNull(ended.get());
        awaited.applied(MESSAGE);
        assertEquals(1, table.counts.partlyApplied.sum());
        assertEquals(0, awaited.size());
    }

    @Test
    void noAnswerIsAwaitedForLongerThanTwiceTheTimeout() {
        begin();
        AwaitedAnswers awaited = new AwaitedAnswers();
        awaited.sent(MESSAGE, request.answers());
        long began = request.answers().beganNanos();
        awaited.sweep(began + 20, 10);
        assertEquals(1, awaited.size());
        awaited.sweep(began + 21, 10);
        assertEquals(0, awaited.size());
    }

    private void askBoth() {
        request.firstContact(there.token, List.of(table.id), Operation.WRITE, FIRST);
        request.firstContact(there.token, List.of(table.id), Operation.WRITE, SECOND);
    }

    @Test
    void anotherRequestsRejectionHoldsNothingBack() {
        begin();
        DelegatedRequest other = request;
        begin();
        other.rejected(there.id, FIRST, MESSAGE, this::fail);
        assertEquals(1, stored);
        assertNull(request.refused());
        assertSame(there, other.refused());
    }

    @Test
    void whatARejectionSaysIsRemembered() {
        begin();
        assertNull(request.refused());
        List<Integer> delivered = new ArrayList<>();
        request.rejected(further.id, FIRST, MESSAGE, () -> delivered.add(1));
        assertEquals(List.of(1), delivered);
        assertSame(further, request.refused());
        assertTrue(request.answers().areRejectionsOf(Set.of(FIRST)));
        assertFalse(request.answers().areRejectionsOf(Set.of(FIRST, SECOND)));
        request.rejected(there.id, SECOND, MESSAGE, () -> delivered.add(2));
        assertTrue(request.answers().areRejectionsOf(Set.of(FIRST, SECOND)));
    }

    /** A client is to learn of its tombstones, though a replica has rejected another partition of the same read. */
    @Test
    void aFailureOfAnotherReasonIsNoRejection() {
        begin();
        request.rejected(there.id, FIRST, MESSAGE, () -> {});
        assertTrue(Admission.failedByRejection(request, failure(Map.of(FIRST, RequestFailureReason.UNKNOWN))));
        assertFalse(Admission.failedByRejection(
                request, failure(Map.of(FIRST, RequestFailureReason.READ_TOO_MANY_TOMBSTONES))));
        Map<InetAddressAndPort, RequestFailureReason> both =
                Map.of(FIRST, RequestFailureReason.UNKNOWN, SECOND, RequestFailureReason.UNKNOWN);
        assertFalse(Admission.failedByRejection(request, failure(both)), "the second has not rejected it");
        request.rejected(there.id, SECOND, MESSAGE, () -> {});
        assertTrue(Admission.failedByRejection(request, failure(both)));
    }

    private static RequestFailureException failure(Map<InetAddressAndPort, RequestFailureReason> reasons) {
        return new ReadFailureException(ConsistencyLevel.QUORUM, 0, 2, false, reasons);
    }

    @Test
    void aRejectionOfAPartitionThatNobodyAskedAboutStillNamesATable() {
        begin();
        request.rejected(~there.id, FIRST, MESSAGE, () -> {});
        assertSame(there, request.refused());
    }

    @Test
    void aDeliveryThatFailsLeavesNothingOnTheThread() {
        begin();
        assertThrows(
                IllegalStateException.class,
                () -> request.rejected(there.id, FIRST, MESSAGE, () -> {
                    throw new IllegalStateException();
                }));
        fail();
        assertEquals(1, stored);
        end(Outcome.NOT_REJECTED);
        assertEquals(1, stored);
    }

    @Test
    void eachReplicaIsAskedOnceAboutEachPartition() {
        begin();
        Iterable<TableId> tables = List.of(table.id);
        assertEquals(List.of(there), request.firstContact(there.token, tables, Operation.WRITE, FIRST));
        assertEquals(List.of(), request.firstContact(there.token, tables, Operation.WRITE, FIRST));
        assertEquals(List.of(there), request.firstContact(there.token, tables, Operation.WRITE, SECOND));
        assertEquals(List.of(further), request.firstContact(further.token, tables, Operation.WRITE, FIRST));
        assertEquals(List.of(), request.firstContact(here.token, tables, Operation.WRITE, FIRST));
        assertEquals(List.of(), request.firstContact(further.token, tables, Operation.READ, SECOND));
        assertEquals(List.of(), request.firstContact(further.token, List.of(), Operation.WRITE, SECOND));
    }

    @Test
    void aRequestIsOnItsThreadWhileItLasts() {
        begin();
        assertNull(DelegatedRequest.current());
        request.begin();
        assertSame(request, DelegatedRequest.current());
        DelegatedRequest.leave();
        assertNull(DelegatedRequest.current());
    }
}
