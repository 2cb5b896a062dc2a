// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import static dev.isotherm.cassandra.limit.WritingNode.idOf;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.LogLines;
import dev.isotherm.cassandra.Addresses;
import dev.isotherm.cassandra.innode.KeptMessages;
import dev.isotherm.cassandra.innode.LongTimeouts;
import dev.isotherm.cassandra.innode.NodeInProcess;
import dev.isotherm.cassandra.runtime.StatementScope;
import dev.isotherm.cassandra.version50.Cassandra50;
import dev.isotherm.cassandra.wire.CustomParams;
import dev.isotherm.cassandra.wire.Wire;
import dev.isotherm.cassandra.wire.WireHandlers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.concurrent.Stage;
import org.apache.cassandra.cql3.BatchQueryOptions;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.cql3.statements.BatchStatement;
import org.apache.cassandra.db.IMutation;
import org.apache.cassandra.db.Mutation;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.MessagingService;
import org.apache.cassandra.net.Verb;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.transport.Dispatcher;
import org.apache.cassandra.utils.FBUtilities;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Other coordinators' writes, as they arrive: counted if the coordinator has decided, and refused by leaders alone. */
class FairWritesOfPeersInNodeTest {
    private static final int HOT = 1;
    private static final KeptMessages KEPT = new KeptMessages();
    /** The decision about one that stands for many, of which most are not admitted. */
    private static final byte[] MANY =
            ByteBuffer.allocate(8).putInt(0).putInt(1024).array();

    private static WritingNode node;
    private static LongTimeouts timeouts;

    @BeforeAll
    static void begin() throws IOException {
        NodeInProcess.begin();
        timeouts = LongTimeouts.begin();
        node = new WritingNode("peers");
        KEPT.begin();
        WireHandlers handlers = new WireHandlers();
        node.fair.install(handlers);
        Wire wire = new Wire(new Cassandra50(), node.failures);
        wire.install(handlers);
        wire.open();
    }

    @AfterAll
    static void end() {
        KEPT.end();
        timeouts.end();
    }

    @BeforeEach
    void on() {
        node.share("on");
    }

    @AfterEach
    void off() {
        node.share("off");
        assertEquals(0, node.failures.count());
        KEPT.sent().clear();
    }

    @Test
    void aWriteCountsIfItsCoordinatorHasDecidedAboutIt() throws InterruptedException {
        IMutation write = mutation("BEGIN BATCH " + node.insert(HOT));
        deliver(Verb.MUTATION_REQ, write, null);
        long before = node.unreadable.count();
        deliver(Verb.MUTATION_REQ, write, new byte[3]);
        assertEquals(before + 1, node.unreadable.count());
        assertEquals(0, node.writes.nanosOf(idOf(node.written, HOT)));
        deliver(Verb.MUTATION_REQ, write, decision(0));
        assertTrue(node.writes.nanosOf(idOf(node.written, HOT)) > 0);
        assertEquals(3, KEPT.sent(Verb.MUTATION_RSP));
    }

    @Test
    void aCounterUpdateCountsIfItsCoordinatorHasDecidedAboutIt() throws InterruptedException {
        deliver(Verb.COUNTER_MUTATION_REQ, update(HOT), null);
        assertEquals(0, node.counters.nanosOf(idOf(node.counted, HOT)));
        deliver(Verb.COUNTER_MUTATION_REQ, update(HOT), decision(0));
        assertTrue(node.counters.nanosOf(idOf(node.counted, HOT)) > 0);
    }

    @Test
    void aReplicaRefusesNoWriteHoweverHotItsPartition() throws InterruptedException {
        long partition = idOf(node.written, HOT);
        WritingNode.Hogs hogs = new WritingNode.Hogs(Stage.MUTATION, node.writes, node.written, partition);
        try {
            assertTrue(node.isWatched(node.writes, partition));
            IMutation write = mutation("BEGIN BATCH " + node.insert(HOT));
            for (int i = 0; i < 20; i++) {
                node.look();
                deliver(Verb.MUTATION_REQ, write, decision(-1));
            }
        } finally {
            hogs.end();
        }
        assertEquals(20, KEPT.sent(Verb.MUTATION_RSP));
        assertEquals(0, KEPT.sent(Verb.FAILURE_RSP));
    }

    /** It serves what it is sent, and has the coordinator refuse the next ones. */
    @Test
    void aReplicaTellsWithItsAnswersWhatItWouldRefuse() throws InterruptedException {
        long partition = idOf(node.written, HOT);
        IMutation write = mutation("BEGIN BATCH " + node.insert(HOT));
        deliver(Verb.MUTATION_REQ, write, decision(0));
        assertNull(lastTold(), "nothing is cut");
        byte[] told;
        WritingNode.Hogs hogs = new WritingNode.Hogs(Stage.MUTATION, node.writes, node.written, partition);
        try {
            told = toldOnceCut(partition, write);
            deliver(Verb.MUTATION_REQ, write, null);
            assertNull(lastTold(), "none that its coordinator could have refused");
            deliver(Verb.MUTATION_REQ, mutation("BEGIN BATCH " + node.insert(HOT + 1)), decision(0));
            assertNull(lastTold(), "that partition is not cut");
        } finally {
            hogs.end();
        }
        assertEquals(20, told.length);
        ByteBuffer in = ByteBuffer.wrap(told);
        assertEquals(partition, in.getLong());
        in.position(16);
        float part = in.getFloat();
        assertTrue(part > 0 && part < 1, "admits " + part);
        assertEquals(0, KEPT.sent(Verb.FAILURE_RSP));
    }

    /** Its coordinators refuse as they are told, and none of them logs it. */
    @Test
    void aReplicaLogsWhatItHasOthersRefuse() throws InterruptedException {
        long partition = idOf(node.written, HOT);
        IMutation write = mutation("BEGIN BATCH " + node.insert(HOT));
        WritingNode.Hogs hogs = new WritingNode.Hogs(Stage.MUTATION, node.writes, node.written, partition);
        List<String> lines;
        try {
            lines = LogLines.of("dev.isotherm", () -> {
                assertNotNull(toldOnceCut(partition, write));
                node.share("off");
            });
        } finally {
            hogs.end();
        }
        String name = "the partition of " + node.written + ", token ";
        lines.removeIf(line -> !line.toLowerCase(Locale.ROOT).contains(name));
        assertEquals(2, lines.size(), lines + "");
        assertTrue(lines.get(0).contains("of the time of the threads for which writes wait"), lines.get(0));
        assertTrue(lines.get(1).endsWith(" are admitted again"), lines.get(1));
        assertEquals(0, KEPT.sent(Verb.FAILURE_RSP));
    }

    /** Writes until an answer tells that the partition is cut, and what that answer tells; null after 30 s. */
    private static byte[] toldOnceCut(long partition, IMutation write) {
        byte[] told = null;
        try {
            assertTrue(node.isWatched(node.writes, partition));
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
            while (told == null && System.nanoTime() < end) {
                node.look();
                deliver(Verb.MUTATION_REQ, write, MANY);
                told = lastTold();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return told;
    }

    /** What the answer says that was sent last. */
    private static byte[] lastTold() {
        Message<?> last = null;
        for (Message<?> message : KEPT.sent()) {
            last = message.verb() == Verb.MUTATION_RSP ? message : last;
        }
        return CustomParams.of(last, "isotherm.share_would_refuse");
    }

    /** What a coordinator admits of what it is told stands for what it refuses. */
    @Test
    void anAdmittedWriteStandsForThoseThatWereRefused() {
        int told = 9;
        InetAddressAndPort replica = Addresses.node(8);
        Mutation write = (Mutation) mutation("BEGIN BATCH " + node.insert(told));
        int refused = 0;
        for (int i = 0; i < 400; i++) {
            node.told(told, 0.25, WritingNode.fresh());
            StatementScope scope = WritingNode.begun(WritingNode.parsed(node.insert(told)));
            try {
                node.fair.admit(scope);
                MessagingService.instance().send(Message.out(Verb.MUTATION_REQ, write), replica);
            } catch (FairShareRejection rejection) {
                refused++;
            } finally {
                scope.end(node.failures);
            }
        }
        // Three in four by chance, within six standard deviations.
        assertTrue(refused > 248 && refused < 352, refused + " of 400");
        assertEquals(400 - refused, KEPT.sent(Verb.MUTATION_REQ));
        for (Message<?> message : KEPT.sent()) {
            ByteBuffer decided = ByteBuffer.wrap(CustomParams.of(message, "isotherm.share"));
            assertTrue((decided.getInt() & 0xFFFFFFFFL) < 1L << 30, "a number of those that are admitted");
            assertEquals(4, decided.getInt());
        }
    }

    @Test
    void theLeaderOfACounterUpdateRefusesItBeforeItIsApplied() throws InterruptedException {
        String select = "SELECT v FROM " + node.counted + " WHERE k = 5";
        long partition = idOf(node.counted, 5);
        int applied = 0;
        WritingNode.Hogs hogs = new WritingNode.Hogs(Stage.COUNTER_MUTATION, node.counters, node.counted, partition);
        try {
            assertTrue(node.isWatched(node.counters, partition));
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
            while (KEPT.sent(Verb.FAILURE_RSP) == 0 && System.nanoTime() < end) {
                node.look();
                // Few updates come through the queue after a pause of this machine: one that stands for many.
                deliver(Verb.COUNTER_MUTATION_REQ, update(5), MANY);
                // The highest of all random numbers: refused as soon as any are.
                deliver(Verb.COUNTER_MUTATION_REQ, update(5), decision(-1));
                applied += 2;
            }
        } finally {
            hogs.end();
        }
        Message<?> failure = KEPT.sent().stream()
                .filter(message -> message.verb() == Verb.FAILURE_RSP)
                .findFirst()
                .orElseThrow();
        assertNotNull(CustomParams.of(failure, "isotherm.share_refused"));
        applied -= KEPT.sent(Verb.FAILURE_RSP);
        long found =
                applied == 0 ? 0 : QueryProcessor.executeInternal(select).one().getLong("v");
        assertEquals(applied, found);
    }

    /** A new one each time: to apply it changes it. */
    private static IMutation update(int key) {
        return mutation("BEGIN COUNTER BATCH " + node.count(key));
    }

    private static IMutation mutation(String batch) {
        return ((BatchStatement) WritingNode.parsed(batch + "; APPLY BATCH"))
                .getMutations(
                        ClientState.forInternalCalls(),
                        BatchQueryOptions.withoutPerStatementVariables(WritingNode.options()),
                        false,
                        1,
                        FBUtilities.nowInSeconds(),
                        Dispatcher.RequestTime.forImmediateExecution())
                .get(0);
    }

    private static byte[] decision(int random) {
        return ByteBuffer.allocate(8).putInt(random).putInt(1).array();
    }

    private static <T extends IMutation> void deliver(Verb verb, T payload, byte[] decision)
            throws InterruptedException {
        Message<T> message = Message.out(verb, payload);
        Message<T> decided = decision == null ? message : CustomParams.with(message, "isotherm.share", decision);
        KEPT.serve(decided);
    }
}
