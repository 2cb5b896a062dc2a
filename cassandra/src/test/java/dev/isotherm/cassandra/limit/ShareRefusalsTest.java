// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.cassandra.wire.MangledBytes;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.exceptions.ReadFailureException;
import org.apache.cassandra.exceptions.RequestFailureReason;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class ShareRefusalsTest {
    private static InetAddressAndPort replica;
    private static InetAddressAndPort other;

    private final ShareRefusals refusals = new ShareRefusals();

    @BeforeAll
    static void replica() throws UnknownHostException {
        replica = InetAddressAndPort.getByName("127.0.0.2");
        other = InetAddressAndPort.getByName("127.0.0.3");
    }

    @Test
    void whatAReplicaSaysIsOfRequestsThatBeganBefore() {
        assertTrue(refusals.isEmpty());
        refusals.received(replica, 1, ShareRefusals.encode(7, 0.75, 0.25), null, 5);
        ShareRefusals.Refusal refusal = refusals.of(7, List.of(replica), 5);
        assertEquals(0.75, refusal.held);
        assertEquals(0.25, refusal.mayHold);
        assertNull(refusals.of(8, List.of(replica), 0));
        assertNull(refusals.of(7, List.of(replica), 6), "that one fails for another reason");
        assertNull(refusals.of(7, List.of(other, replica), 0), "and so does one of which the other has");
        assertNull(refusals.of(7, List.of(replica, other), 0));
        refusals.sweep(TimeUnit.SECONDS.toNanos(10) + 5);
        assertFalse(refusals.isEmpty());
        refusals.sweep(TimeUnit.SECONDS.toNanos(11));
        assertTrue(refusals.isEmpty());
    }

    @Test
    void aReplicaWithAReasonOfItsOwnIsToldOf() {
        refusals.received(replica, 1, ShareRefusals.encode(7, 0.75, 0.25), null, 5);
        assertEquals(0.75, refusals.reasonOf(failed(Map.of(replica, RequestFailureReason.UNKNOWN)), 7, 5).held);
        assertNull(refusals.reasonOf(
                failed(Map.of(replica, RequestFailureReason.UNKNOWN, other, RequestFailureReason.INCOMPATIBLE_SCHEMA)),
                7,
                5));
    }

    private static ReadFailureException failed(Map<InetAddressAndPort, RequestFailureReason> reasons) {
        return new ReadFailureException(ConsistencyLevel.QUORUM, 0, 2, false, reasons);
    }

    /** The thread that takes in the earlier one waits for a processor meanwhile. */
    @Test
    void anEarlierRefusalThatIsTakenInLaterLeavesTheLaterOneInPlace() {
        refusals.received(replica, 2, ShareRefusals.encode(7, 0.5, 0.125), null, 7);
        refusals.received(replica, 1, ShareRefusals.encode(7, 0.75, 0.25), null, 5);
        assertEquals(0.5, refusals.of(7, List.of(replica), 6).held, "what began between the two was refused by one");
        refusals.received(replica, 3, ShareRefusals.encode(7, 0.25, 0.125), null, 8);
        assertEquals(0.25, refusals.of(7, List.of(replica), 6).held);
    }

    @Test
    void anotherReplicasRefusalDoesNotTakeThePlaceOfTheFirst() {
        refusals.received(replica, 1, ShareRefusals.encode(7, 0.75, 0.25), null, 0);
        refusals.received(other, 1, ShareRefusals.encode(7, 0.5, 0.125), null, 0);
        assertEquals(0.75, refusals.of(7, List.of(replica), 0).held);
        assertEquals(0.5, refusals.of(7, List.of(other), 0).held);
        assertNull(refusals.of(7, List.of(), 0));
    }

    @Test
    void ofAMessageThatIsAwaitedItIsKnownWhetherItItselfWasRefused() {
        refusals.await(4);
        refusals.received(replica, 3, ShareRefusals.encode(7, 0.75, 0.25), null, 0);
        assertNull(refusals.ofAwaited(3));
        assertNull(refusals.ofAwaited(4), "another message on the same partition was");
        refusals.received(replica, 4, ShareRefusals.encode(7, 0.5, 0.125), null, 0);
        assertEquals(0.5, refusals.ofAwaited(4).held);
        refusals.forget(4);
        refusals.received(replica, 4, ShareRefusals.encode(7, 0.5, 0.125), null, 0);
        assertNull(refusals.ofAwaited(4));
    }

    @Test
    void thousandsOfRefusalsAreKnownAtMost() {
        for (int partition = 0; partition < 10_000; partition++) {
            refusals.received(replica, 1, ShareRefusals.encode(partition, 1, 0), null, 0);
        }
        assertNotNull(refusals.of(8_191, List.of(replica), 0));
        assertNull(refusals.of(8_192, List.of(replica), 0));
        refusals.received(replica, 1, ShareRefusals.encode(7, 0.5, 0), null, 1);
        assertEquals(0.5, refusals.of(7, List.of(replica), 1).held, "what is known is brought up to date");
        long later = TimeUnit.SECONDS.toNanos(11);
        refusals.received(replica, 1, ShareRefusals.encode(9_000, 1, 0), null, later);
        // A peer can keep them full: each of its messages costs the same then.
        assertNull(refusals.of(9_000, List.of(replica), later), "a message makes no room");
        refusals.sweep(later);
        refusals.received(replica, 1, ShareRefusals.encode(9_000, 1, 0), null, later);
        assertNotNull(refusals.of(9_000, List.of(replica), later));
    }

    @Test
    void whatReplicasAdmitIsBelievedOfThoseThatAdmitMost() {
        List<InetAddressAndPort> both = List.of(replica, other);
        assertEquals(1, refusals.admitted(7, both, 1, 0), "nobody has told anything");
        assertNull(refusals.last(7, both));
        refusals.received(replica, 1, ShareRefusals.encode(7, 0.75, 0.25), ShareRefusals.encode(0.125), 0);
        assertEquals(1, refusals.admitted(7, both, 1, 0), "the other may serve it");
        assertEquals(0.125, refusals.admitted(7, both, 2, 0));
        assertEquals(0.125, refusals.admitted(7, List.of(replica), 1, 0), "the other is dead");
        assertEquals(1, refusals.admitted(8, both, 2, 0), "of another partition");
        refusals.received(other, 1, ShareRefusals.encode(7, 0.5, 0.25), ShareRefusals.encode(0.5), 1);
        assertEquals(0.5, refusals.admitted(7, both, 1, 1));
        assertEquals(0.125, refusals.admitted(7, both, 2, 1));
        assertEquals(0.5, refusals.last(7, both).held, "the other's is the last");
        assertEquals(1, refusals.admitted(7, both, 2, TimeUnit.SECONDS.toNanos(3)), "that was long ago");
        refusals.received(replica, 1, ShareRefusals.encode(7, 0.75, 0.25), null, TimeUnit.SECONDS.toNanos(3));
        assertEquals(1, refusals.admitted(7, both, 2, TimeUnit.SECONDS.toNanos(3)), "an earlier build tells no part");
    }

    @Test
    void whichPartitionsReplicasAdmitInPartIsForgottenWhenTheyAreNotBelievedAnyMore() {
        refusals.received(replica, 1, ShareRefusals.encode(7, 0.75, 0.25), null, 0);
        assertFalse(refusals.isPartlyAdmitted(7), "nothing is told of what is admitted");
        refusals.received(replica, 1, ShareRefusals.encode(7, 0.75, 0.25), ShareRefusals.encode(0.125), 0);
        assertTrue(refusals.isPartlyAdmitted(7));
        assertFalse(refusals.isPartlyAdmitted(8));
        refusals.sweep(TimeUnit.SECONDS.toNanos(2) - 1);
        assertTrue(refusals.isPartlyAdmitted(7));
        refusals.sweep(TimeUnit.SECONDS.toNanos(2));
        assertFalse(refusals.isPartlyAdmitted(7));
        assertNotNull(refusals.last(7, List.of(replica)), "clients are still told why");
    }

    @Test
    void noReplicaAdmitsNothing() {
        refusals.received(replica, 1, ShareRefusals.encode(7, 0.75, 0.25), ShareRefusals.encode(1e-30), 0);
        assertEquals(1.0 / 1024, refusals.admitted(7, List.of(replica), 1, 0));
    }

    @Test
    void aPartThatIsNoneIsNotBelieved() {
        byte[] refusal = ShareRefusals.encode(7, 0.75, 0.25);
        for (double part : new double[] {0, -1, 1.5, Double.NaN, Double.POSITIVE_INFINITY}) {
            assertThrows(
                    IllegalArgumentException.class,
                    () -> refusals.received(replica, 1, refusal, ShareRefusals.encode(part), 0),
                    "admits " + part);
        }
        MangledBytes.give(67, random -> ShareRefusals.encode(random.nextDouble()), bytes -> {
            try {
                refusals.received(replica, 1, refusal, bytes, 0);
            } catch (IllegalArgumentException refused) {
                return false;
            }
            double part = refusals.admitted(7, List.of(replica), 1, 0);
            assertTrue(part > 0 && part <= 1, "admits " + part);
            return true;
        });
    }

    @Test
    void whatAReplicaWouldRefuseOfWritesIsKnownAndExplainsNoFailure() {
        refusals.await(4);
        refusals.told(replica, ShareRefusals.wouldRefuse(7, 0.75, 0.25, 0.125), 0);
        assertTrue(refusals.isPartlyAdmitted(7));
        assertEquals(0.125, refusals.admitted(7, List.of(replica, other), 2, 0), "each has to apply a write");
        assertEquals(0.75, refusals.last(7, List.of(replica, other)).held);
        assertNull(refusals.ofAwaited(4));
        refusals.told(other, ShareRefusals.wouldRefuse(7, 0.5, 0.25, 0.0625), 0);
        assertEquals(0.0625, refusals.admitted(7, List.of(replica, other), 2, 0), "of the one that admits least");
    }

    @Test
    void nonsenseOfWritesIsNotBelieved() {
        MangledBytes.give(
                71,
                random -> ShareRefusals.wouldRefuse(random.nextLong(), random.nextDouble(), 0.5, random.nextDouble()),
                bytes -> {
                    ShareRefusals fresh = new ShareRefusals();
                    try {
                        fresh.told(replica, bytes, 0);
                    } catch (IllegalArgumentException refused) {
                        assertTrue(fresh.isEmpty());
                        return false;
                    }
                    return true;
                });
    }

    @Test
    void nonsenseIsNotBelieved() {
        MangledBytes.give(61, random -> ShareRefusals.encode(random.nextLong(), random.nextDouble(), 0.5), bytes -> {
            ShareRefusals fresh = new ShareRefusals();
            try {
                fresh.received(replica, 1, bytes, null, 0);
            } catch (IllegalArgumentException refused) {
                assertTrue(fresh.isEmpty());
                return false;
            }
            return true;
        });
    }
}
