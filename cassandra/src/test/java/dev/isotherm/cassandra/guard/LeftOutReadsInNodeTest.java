// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.guard;

import static dev.isotherm.cassandra.Addresses.node;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.util.concurrent.Uninterruptibles;
import dev.isotherm.cassandra.config.ConfigText;
import dev.isotherm.cassandra.innode.KeptMessages;
import dev.isotherm.cassandra.innode.NodeInProcess;
import dev.isotherm.cassandra.runtime.CutReads;
import dev.isotherm.cassandra.runtime.Failures;
import dev.isotherm.cassandra.runtime.RuntimeSwitch;
import dev.isotherm.cassandra.version50.Cassandra50;
import dev.isotherm.cassandra.wire.Wire;
import dev.isotherm.cassandra.wire.WireHandlers;
import dev.isotherm.guard.GuardSettings;
import dev.isotherm.guard.ReadGuard;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.concurrent.Stage;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.MessagingService;
import org.apache.cassandra.net.Verb;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.FBUtilities;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Reads of partitions that are cut: no replica is judged by how long they take. */
class LeftOutReadsInNodeTest {
    private static final int BUSY = 4;
    private static final int CUT = 1;
    private static final int OTHER = 2;

    private static TableMetadata table;

    private final Failures failures = new Failures();
    private final InetAddressAndPort self = FBUtilities.getBroadcastAddressAndPort();
    private final Cut cut = new Cut();

    /** Reads of one partition are, and as many of those under way as is said. */
    private static final class Cut implements CutReads {
        int underWay;
        int asked;
        long ended;
        long nanos;

        @Override
        public boolean has(Message<?> read) {
            asked++;
            SinglePartitionReadCommand command = (SinglePartitionReadCommand) read.payload;
            return Int32Type.instance.compose(command.partitionKey().getKey()) == CUT;
        }

        @Override
        public int underWay() {
            return underWay;
        }

        @Override
        public long ended() {
            return ended;
        }

        @Override
        public long nanos() {
            return nanos;
        }
    }

    @BeforeAll
    static void begin() throws IOException {
        NodeInProcess.begin();
        table = NodeInProcess.table("leftout", "comment = ''").metadata();
    }

    private static Message<?> read(int key) {
        return Message.out(
                Verb.READ_REQ,
                SinglePartitionReadCommand.fullPartitionRead(
                        table, FBUtilities.nowInSeconds(), Int32Type.instance.decompose(key)));
    }

    @Test
    void theyLeaveAndAreWatched() {
        GuardFeature guard = new GuardFeature(
                GuardConfig.read(ConfigText.file("").section("guard")),
                new Cassandra50(),
                DatabaseDescriptor.getEndpointSnitch(),
                self,
                () -> cut,
                failures);
        KeptMessages kept = new KeptMessages();
        kept.begin();
        try {
            WireHandlers handlers = new WireHandlers();
            guard.start(handlers);
            Wire wire = new Wire(new Cassandra50(), failures);
            wire.install(handlers);
            wire.open();
            MessagingService.instance().send(read(CUT), node(2));
            assertEquals(1, cut.asked, "whether it is one of them");
            MessagingService.instance().send(read(OTHER), node(2));
            assertEquals(2, guard.statusOf(node(2)).unanswered(), "an operator sees both");
            assertEquals(2, kept.sent(Verb.READ_REQ), "both leave");
        } finally {
            kept.end();
        }
        assertEquals(0, failures.count());
    }

    @Test
    void theirThreadsAreNotAmongThoseThatAreBusy() throws InterruptedException {
        ReadGuard<InetAddressAndPort> guard = new ReadGuard<>(
                GuardSettings.defaults(),
                self,
                () -> TimeUnit.SECONDS.toNanos(5),
                () -> TimeUnit.SECONDS.toNanos(10),
                node -> true,
                new AvoidanceLog(new RuntimeSwitch(true)),
                System.nanoTime());
        ReadThreads threads = new ReadThreads(guard, self, () -> 1, () -> cut);
        CountDownLatch begun = new CountDownLatch(BUSY);
        CountDownLatch release = new CountDownLatch(1);
        for (int i = 0; i < BUSY; i++) {
            Stage.READ.execute(() -> {
                begun.countDown();
                Uninterruptibles.awaitUninterruptibly(release);
            });
        }
        try {
            assertTrue(begun.await(30, TimeUnit.SECONDS));
            for (int underWay = 0; underWay <= BUSY + 1; underWay++) {
                cut.underWay = underWay;
                threads.observe(System.nanoTime());
                assertEquals(
                        Math.max(0, BUSY - underWay),
                        guard.statusOf(self, System.nanoTime()).unanswered());
            }
        } finally {
            release.countDown();
        }
    }

    /** Far more than what Cassandra reads of its own tables meanwhile. */
    @Test
    void thoseThatHaveEndedAreNotInTheMeanAndExplainBusyThreads() {
        ReadSums sums = new ReadSums(() -> cut);
        assertTrue(sums.take());
        long reads = sums.reads();
        long readNanos = sums.readNanos();
        for (int i = 0; i < 100; i++) {
            QueryProcessor.executeInternal("SELECT v FROM ks.leftout WHERE k = " + OTHER);
        }
        assertTrue(sums.take());
        assertTrue(sums.reads() >= reads + 100, "what is not cut counts");
        assertTrue(sums.readNanos() > readNanos);
        assertTrue(sums.otherNanos() < TimeUnit.DAYS.toNanos(1));
        cut.ended = 1_000_000;
        cut.nanos = TimeUnit.DAYS.toNanos(1);
        assertTrue(sums.take());
        assertTrue(sums.reads() < reads - 900_000, sums.reads() + " of " + reads);
        assertTrue(sums.readNanos() < readNanos - TimeUnit.HOURS.toNanos(23));
        assertTrue(sums.otherNanos() >= TimeUnit.DAYS.toNanos(1));
    }
}
