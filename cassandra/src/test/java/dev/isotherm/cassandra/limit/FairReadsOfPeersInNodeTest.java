// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.cassandra.innode.KeptMessages;
import dev.isotherm.cassandra.innode.NodeInProcess;
import dev.isotherm.cassandra.runtime.Failures;
import dev.isotherm.cassandra.runtime.RuntimeSwitch;
import dev.isotherm.cassandra.runtime.StatementScope;
import dev.isotherm.cassandra.version50.Cassandra50;
import dev.isotherm.cassandra.wire.CustomParams;
import dev.isotherm.cassandra.wire.Wire;
import dev.isotherm.cassandra.wire.WireHandlers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.cassandra.concurrent.Stage;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.db.ReadCommand;
import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.MessagingService;
import org.apache.cassandra.net.Verb;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.service.QueryState;
import org.apache.cassandra.transport.Dispatcher;
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
    private static final FairShareSwitch MODE = new FairShareSwitch(FairShareMode.ON, new RuntimeSwitch(true));

    private static TableMetadata table;
    private static FairPool reads;
    private static FairAdmission fair;

    @BeforeAll
    static void begin() throws IOException {
        NodeInProcess.begin();
        table = NodeInProcess.table("asked", "comment = ''").metadata();
        reads = new FairPool(Stage.READ, "reads", MODE, new LimitsInForce(FAILURES), 1, WritingNode.UNPAUSED);
        Cassandra50 version = new Cassandra50();
        InetAddressAndPort self = FBUtilities.getBroadcastAddressAndPort();
        fair = new FairAdmission(
                reads,
                new ReadTimes(reads, FAILURES),
                new ReplicaLookup(self, DatabaseDescriptor.getEndpointSnitch()),
                new ShareRefusals(),
                version,
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
        assertEquals(0, FAILURES.count());
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
        byte[] decision =
                ByteBuffer.allocate(8).putInt(random).putInt(standsFor).array();
        Message<ReadCommand> decided =
                CustomParams.with(Message.out(Verb.READ_REQ, read()), "isotherm.share", decision);
        KEPT.serve(decided);
    }

    @Test
    void aReplicaRefusesOrServesAWholeStatement() throws InterruptedException {
        reads.look(System.nanoTime());
        WritingNode.Hogs hogs = new WritingNode.Hogs(Stage.READ, reads, table, idOfHot());
        try {
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
            while (KEPT.sent(Verb.FAILURE_RSP) == 0 && System.nanoTime() < end) {
                reads.look(System.nanoTime());
                Thread.sleep(10);
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
            reads.look(System.nanoTime());
            assertNotNull(reads.watched(idOfHot()));
            deliver(HIGHEST, ShareDecision.DECIDED_BEFORE);
            assertEquals(2, KEPT.sent(Verb.FAILURE_RSP), "the rest of what it has refused it refuses");
        } finally {
            hogs.end();
        }
        long held = reads.nanosOf(idOfHot());
        deliver(HIGHEST - 1, ShareDecision.DECIDED_BEFORE);
        assertTrue(reads.nanosOf(idOfHot()) > held, "it counts for its partition");
    }

    @Test
    void aStatementsFurtherMessagesToAReplicaSayThatItHasDecided() throws Exception {
        reads.look(System.nanoTime());
        InetAddressAndPort first = InetAddressAndPort.getByName("127.0.0.8");
        InetAddressAndPort second = InetAddressAndPort.getByName("127.0.0.9");
        for (int statement = 0; statement < 2; statement++) {
            StatementScope scope = StatementScope.current();
            CQLStatement select = WritingNode.parsed("SELECT v FROM ks.asked WHERE k = " + HOT);
            QueryState state = new QueryState(ClientState.forInternalCalls());
            scope.begin(select, state, WritingNode.options(), Dispatcher.RequestTime.forImmediateExecution());
            try {
                fair.admit(scope);
                ReadCommand ofRoles = SinglePartitionReadCommand.fullPartitionRead(
                        table, FBUtilities.nowInSeconds(), Int32Type.instance.decompose(HOT + 1));
                MessagingService.instance().send(Message.out(Verb.READ_REQ, ofRoles), first);
                assertNull(CustomParams.of(KEPT.sent().remove(0), "isotherm.share"), "another partition's");
                for (InetAddressAndPort to : List.of(first, second, first, second, first)) {
                    MessagingService.instance().send(Message.out(Verb.READ_REQ, read()), to);
                }
            } finally {
                scope.end(FAILURES);
            }
            List<Integer> standFor = KEPT.sent().stream()
                    .map(message -> ByteBuffer.wrap(CustomParams.of(message, "isotherm.share"))
                            .getInt(4))
                    .collect(Collectors.toList());
            assertEquals(List.of(1, 1, 0, 0, 0), standFor, "statement " + statement);
            KEPT.sent().clear();
        }
    }
}
