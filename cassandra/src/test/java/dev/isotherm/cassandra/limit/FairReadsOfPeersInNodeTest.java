// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.cassandra.innode.KeptMessages;
import dev.isotherm.cassandra.innode.NodeInProcess;
import dev.isotherm.cassandra.runtime.Failures;
import dev.isotherm.cassandra.runtime.RuntimeSwitch;
import dev.isotherm.cassandra.runtime.StatementScope;
import dev.isotherm.cassandra.runtime.UnreadableValues;
import dev.isotherm.cassandra.version50.Cassandra50;
import dev.isotherm.cassandra.wire.CustomParams;
import dev.isotherm.cassandra.wire.Wire;
import dev.isotherm.cassandra.wire.WireHandlers;
import dev.isotherm.share.FairShare;
import dev.isotherm.share.WatchedPartition;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.apache.cassandra.concurrent.Stage;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.ReadCommand;
import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.MessagingService;
import org.apache.cassandra.net.Verb;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.apache.cassandra.utils.FBUtilities;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Reads between coordinators and replicas: each replica decides once about a statement, and times all it serves. */
class FairReadsOfPeersInNodeTest {
    private static final int HOT = 1;
    /** The highest of all random numbers: refused as soon as any are. */
    private static final int HIGHEST = -1;

    private static final KeptMessages KEPT = new KeptMessages();

    private static final Failures FAILURES = new Failures();
    private static final UnreadableValues UNREADABLE = new UnreadableValues();
    private static final FairShareSwitch MODE = new FairShareSwitch(FairShareMode.ON, new RuntimeSwitch(true));

    /** When a message was made, as the node says. */
    private static final long BEGUN_NANOS = System.nanoTime();

    private static ToLongFunction<Message<?>> madeAt = Message::createdAtNanos;

    private static TableMetadata table;
    private static FairPool reads;
    private static FairAdmission fair;
    private static int expectedFailures;

    @BeforeAll
    static void begin() throws IOException {
        NodeInProcess.begin();
        table = NodeInProcess.table("asked", "comment = ''").metadata();
        reads = new FairPool(Stage.READ, "reads", MODE, new LimitsInForce(FAILURES), 1, WritingNode.PAUSED_BEFORE);
        Cassandra50 version = new Cassandra50();
        InetAddressAndPort self = FBUtilities.getBroadcastAddressAndPort();
        fair = new FairAdmission(
                reads,
                new ReadTimes(reads, FAILURES),
                new ReplicaLookup(self, DatabaseDescriptor.getEndpointSnitch()),
                new ShareRefusals(),
                // None is noted late, however long this machine stands still.
                new UnmarkedReads(node -> true, () -> BEGUN_NANOS),
                message -> madeAt.applyAsLong(message),
                version,
                UNREADABLE,
                FAILURES);
        KEPT.begin();
        WireHandlers handlers = new WireHandlers();
        fair.install(handlers);
        Wire wire = new Wire(version, FAILURES);
        wire.install(handlers);
        wire.open();
    }

    @AfterAll
    static void end() {
        KEPT.end();
    }

    @AfterEach
    void nothingOfOursFailed() {
        madeAt = Message::createdAtNanos;
        assertEquals(expectedFailures, FAILURES.count());
        KEPT.sent().clear();
    }

    private static ReadCommand read() {
        return SinglePartitionReadCommand.fullPartitionRead(
                table, FBUtilities.nowInSeconds(), Int32Type.instance.decompose(HOT));
    }

    private static long idOfHot() {
        return TouchedPartition.idOfReads(table, table.partitioner.getToken(Int32Type.instance.decompose(HOT)));
    }

    private static void deliver(int random, int standsFor) throws InterruptedException {
        deliver(ByteBuffer.allocate(8).putInt(random).putInt(standsFor).array());
    }

    private static void deliver(byte... value) throws InterruptedException {
        KEPT.serve(marked(value));
    }

    private static Message<ReadCommand> marked(byte... value) {
        return CustomParams.with(Message.out(Verb.READ_REQ, read()), "isotherm.share", value);
    }

    /** One that is admitted, and stands for a thousand of which most are not. */
    private static void askForMuch() throws InterruptedException {
        reads.look(System.nanoTime());
        deliver(0, FairShare.MOST_WEIGHT);
    }

    private static boolean isRefused(Message<ReadCommand> message) throws InterruptedException {
        reads.look(System.nanoTime());
        int before = KEPT.sent(Verb.FAILURE_RSP);
        KEPT.serve(message);
        return KEPT.sent(Verb.FAILURE_RSP) > before;
    }

    @Test
    void aReplicaRefusesOrServesAWholeStatement() throws InterruptedException {
        reads.look(System.nanoTime());
        WritingNode.Hogs hogs = new WritingNode.Hogs(Stage.READ, reads, table, idOfHot());
        try {
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
            // By looks close together: an interval after which a look was late saturates nothing.
            while (reads.watched(idOfHot()) == null && System.nanoTime() < end) {
                reads.look(System.nanoTime());
                Thread.sleep(10);
            }
            while (KEPT.sent(Verb.FAILURE_RSP) == 0 && System.nanoTime() < end) {
                askForMuch();
                reads.look(System.nanoTime());
                deliver(HIGHEST, 1);
            }
            assertEquals(1, KEPT.sent(Verb.FAILURE_RSP));
            int served = KEPT.sent(Verb.READ_RSP);
            // Nearly as high: decided about anew, it would be refused like the first.
            for (int i = 0; i < 10; i++) {
                reads.look(System.nanoTime());
                deliver(HIGHEST - 1, ShareDecision.DECIDED_BEFORE);
            }
            assertEquals(served + 10, KEPT.sent(Verb.READ_RSP));
            assertEquals(1, KEPT.sent(Verb.FAILURE_RSP), "what it let begin, it lets end");
            end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
            // Once shares decide again, where this machine stood still: what they decided before is too old then.
            while (KEPT.sent(Verb.FAILURE_RSP) == 1 && System.nanoTime() < end) {
                reads.look(System.nanoTime());
                deliver(HIGHEST, ShareDecision.DECIDED_BEFORE);
            }
            assertEquals(2, KEPT.sent(Verb.FAILURE_RSP), "the rest of what it has refused it refuses");
        } finally {
            hogs.end();
        }
        long held = reads.nanosOf(idOfHot());
        deliver(HIGHEST - 1, ShareDecision.DECIDED_BEFORE);
        assertTrue(reads.nanosOf(idOfHot()) > held, "it counts for its partition");
    }

    @Test
    void aReadWithoutAValueIsRefusedOnlyWhileItsCoordinatorIsAnnounced() throws InterruptedException {
        reads.look(System.nanoTime());
        WritingNode.Hogs hogs = new WritingNode.Hogs(Stage.READ, reads, table, idOfHot());
        try {
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
            boolean refused = false;
            while (!refused && System.nanoTime() < end) {
                askForMuch();
                reads.look(System.nanoTime());
                deliver(UnmarkedReads.ANNOUNCES);
                refused = isRefused(Message.out(Verb.READ_REQ, read()));
                assertFalse(isRefused(marked(UnmarkedReads.EXEMPT)));
                assertFalse(isRefused(marked(UnmarkedReads.ANNOUNCES, UnmarkedReads.EXEMPT)), "a value of no kind");
            }
            assertTrue(refused, "while it is announced");
            assertTrue(UNREADABLE.count() > 0);
            madeAt = message -> message.createdAtNanos() + 2 * UnmarkedReads.HOLDS_NANOS;
            end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
            WatchedPartition watched = null;
            // How much is admitted right after a pause of this machine says nothing: until it is little again.
            for (int i = 0; i < 20 || !isMostlyRefused(watched) && System.nanoTime() < end; i++) {
                askForMuch();
                assertFalse(isRefused(Message.out(Verb.READ_REQ, read())), "no announcement holds");
                watched = reads.watched(idOfHot());
            }
            assertTrue(isMostlyRefused(watched), "most of the others would have been refused");
        } finally {
            hogs.end();
        }
    }

    private static boolean isMostlyRefused(WatchedPartition watched) {
        return watched != null && watched.admittedPart() < 0.5;
    }

    /** The values on the messages of one SELECT of the hot partition to these nodes, in hexadecimal or null. */
    private static List<String> values(List<InetAddressAndPort> nodes, ReadCommand... before) throws Exception {
        KEPT.sent().clear();
        StatementScope scope = WritingNode.begun(WritingNode.parsed("SELECT v FROM ks.asked WHERE k = " + HOT));
        try {
            fair.admit(scope);
            for (ReadCommand another : before) {
                MessagingService.instance().send(Message.out(Verb.READ_REQ, another), nodes.get(0));
            }
            for (InetAddressAndPort to : nodes) {
                MessagingService.instance().send(Message.out(Verb.READ_REQ, read()), to);
            }
        } finally {
            scope.end(FAILURES);
        }
        return KEPT.sent().stream()
                .map(message -> CustomParams.of(message, "isotherm.share"))
                .map(value -> value == null ? "nothing" : ByteBufferUtil.bytesToHex(ByteBuffer.wrap(value)))
                .collect(Collectors.toList());
    }

    @Test
    void aCoordinatorAnnouncesItselfAndMarksOnlyExceptions() throws Exception {
        reads.look(System.nanoTime());
        long[] now = {System.nanoTime()};
        madeAt = message -> now[0];
        InetAddressAndPort first = InetAddressAndPort.getByName("127.0.0.8");
        InetAddressAndPort second = InetAddressAndPort.getByName("127.0.0.9");
        ReadCommand ofRoles = SinglePartitionReadCommand.fullPartitionRead(
                table, FBUtilities.nowInSeconds(), Int32Type.instance.decompose(HOT + 1));
        assertEquals(List.of("nothing", "00", "00"), values(List.of(first, second), ofRoles), "nothing is announced");
        assertEquals(List.of("01", "nothing", "nothing"), values(List.of(first, second), ofRoles));
        now[0] += UnmarkedReads.EACH_NANOS;
        assertEquals(List.of("00"), values(List.of(second)));
        List<String> further = values(List.of(second, first, second, first, second));
        assertEquals(List.of("nothing", "00"), further.subList(0, 2));
        for (String value : further.subList(2, 5)) {
            assertTrue(value.matches("[0-9a-f]{8}00000000"), value + ": the replica has decided");
        }
    }

    /** Replicas take what carries nothing for what may be refused until the last announcement ends. */
    @Test
    void switchedOffACoordinatorExemptsAllItsReadsForAWhile() throws Exception {
        reads.look(System.nanoTime());
        long[] now = {System.nanoTime()};
        madeAt = message -> now[0];
        InetAddressAndPort replica = InetAddressAndPort.getByName("127.0.0.11");
        InetAddressAndPort another = InetAddressAndPort.getByName("127.0.0.12");
        assertEquals(List.of("00"), values(List.of(replica)));
        MODE.setting().change("off");
        try {
            reads.look(System.nanoTime());
            now[0] += UnmarkedReads.HOLDS_NANOS;
            assertEquals(List.of("01", "01", "nothing"), values(List.of(replica, replica, another)));
            now[0] += UnmarkedReads.EXEMPTS_NANOS;
            assertEquals(List.of("nothing"), values(List.of(replica)));
        } finally {
            MODE.setting().change("on");
        }
    }

    /** What carries nothing may be refused: so a read of which a failure hides what it is carries something. */
    @Test
    void aFailureOfOursExemptsTheRead() throws Exception {
        reads.look(System.nanoTime());
        madeAt = message -> {
            throw new IllegalStateException("a test's");
        };
        expectedFailures++;
        assertEquals(List.of("01"), values(List.of(InetAddressAndPort.getByName("127.0.0.13"))));
        assertEquals(expectedFailures, FAILURES.count());
    }

    @Test
    void whatACoordinatorHasDecidedByItsOwnSharesItSays() throws Exception {
        reads.look(System.nanoTime());
        InetAddressAndPort replica = InetAddressAndPort.getByName("127.0.0.10");
        WritingNode.Hogs hogs = new WritingNode.Hogs(Stage.READ, reads, table, idOfHot());
        try {
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
            while (reads.watched(idOfHot()) == null && System.nanoTime() < end) {
                reads.look(System.nanoTime());
                Thread.sleep(10);
            }
            List<String> values = List.of();
            while (values.isEmpty() && System.nanoTime() < end) {
                try {
                    values = values(List.of(replica));
                } catch (FairShareRejection itself) {
                    reads.look(System.nanoTime());
                }
            }
            assertTrue(values.get(0).matches("[0-9a-f]{8}0000[0-9a-f]{4}"), values + "");
            assertNotEquals(
                    ShareDecision.DECIDED_BEFORE, Integer.parseInt(values.get(0).substring(8), 16));
        } finally {
            hogs.end();
        }
    }
}
