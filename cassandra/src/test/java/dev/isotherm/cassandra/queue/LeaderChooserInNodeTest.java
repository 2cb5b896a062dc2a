// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.queue;

import static dev.isotherm.cassandra.Addresses.node;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.cassandra.innode.KeptMessages;
import dev.isotherm.cassandra.innode.NodeInProcess;
import dev.isotherm.cassandra.runtime.Failures;
import dev.isotherm.cassandra.version50.Cassandra50;
import dev.isotherm.cassandra.wire.OwnMessages;
import dev.isotherm.queue.QueueSettings;
import dev.isotherm.queue.ServiceWeights;
import dev.isotherm.queue.SpeedComparison;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.concurrent.Stage;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.utils.FBUtilities;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Choices that wait for replicas which say nothing. */
class LeaderChooserInNodeTest {
    /** Longer than this machine stands still. */
    private static final long PATIENCE_SECONDS = 10;

    private static final QueueSettings SETTINGS =
            new QueueSettings(100, 50, TimeUnit.SECONDS.toNanos(60), TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS));

    private static final KeptMessages UNANSWERED = new KeptMessages();

    @BeforeAll
    static void begin() throws IOException {
        NodeInProcess.begin();
        UNANSWERED.begin();
    }

    @AfterAll
    static void end() {
        UNANSWERED.end();
    }

    /** Otherwise counter updates could hold all threads on which a node serves its clients, reads among them. */
    @Test
    void whileAQuarterOfTheThreadsWaitsTheOthersDecideAtOnce() throws InterruptedException {
        DecisionCounts counts = new DecisionCounts();
        Failures failures = new Failures();
        LeaderChooser chooser = chooser(counts, failures);
        List<InetAddressAndPort> replicas = List.of(node(2), node(3), node(4));
        Thread patient = new Thread(() -> chooser.among(replicas, CounterUpdate.current()));
        patient.start();
        while (patient.getState() != Thread.State.TIMED_WAITING && patient.isAlive()) {
            Thread.sleep(1);
        }
        for (int i = 0; i < 5; i++) {
            // Each is a statement of its own, and has the whole wait before it.
            CounterUpdate update = CounterUpdate.current();
            update.begin("ks");
            assertTrue(replicas.contains(chooser.among(replicas, update)));
            update.clear();
        }
        long decided = count(counts, "LeaderTimedOut");
        long waited = count(counts, "vnode_mbox_check_timeout");
        // Asked last: until then it has not counted itself.
        assertEquals(Thread.State.TIMED_WAITING, patient.getState(), "five waits would have outlasted it");
        patient.join();
        assertEquals(5, decided);
        assertEquals(0, waited, "none of the five has waited");
        assertEquals(6, count(counts, "LeaderTimedOut"));
        assertEquals(1, count(counts, "vnode_mbox_check_timeout"));
        assertEquals(0, failures.count());
    }

    /** The ranges of a batch are chosen for one after the other: their waits are not to add up. */
    @Test
    void theChoicesOfOneStatementWaitNoLongerThanOne() {
        CounterUpdate update = CounterUpdate.current();
        update.begin("ks");
        long deadline = System.nanoTime();
        assertEquals(deadline, update.waitsUntil(deadline));
        assertEquals(deadline, update.waitsUntil(deadline + 1), "the second would wait longer by itself");
        DecisionCounts counts = new DecisionCounts();
        LeaderChooser chooser = chooser(counts, new Failures());
        for (int first = 2; first < 12; first += 2) {
            chooser.among(List.of(node(first), node(first + 1)), update);
        }
        assertEquals(5, count(counts, "LeaderTimedOut"));
        assertEquals(0, count(counts, "vnode_mbox_check_timeout"), "none has waited: the statement's time was over");
        update.clear();
        assertEquals(deadline + 2, update.waitsUntil(deadline + 2), "the next statement has its own");
        update.clear();
    }

    /** As where clients know this node alone: nobody else leads an update, and could tell how long it takes. */
    @Test
    void aSlowNodeThatHearsOfNobodyHasAnotherLeadOneUpdateASecond() {
        long begun = System.nanoTime() - TimeUnit.SECONDS.toNanos(20);
        ServiceWeights weights = weights(begun);
        LocalQueueTest.Stage stage = new LocalQueueTest.Stage();
        LocalQueue queue = new LocalQueue(stage, () -> 0, weights, begun);
        stage.active = 4;
        for (int i = 1; i <= 400; i++) {
            stage.served++;
            queue.sample(begun + i * TimeUnit.MILLISECONDS.toNanos(50));
        }
        DecisionCounts counts = new DecisionCounts();
        LeaderChooser chooser = chooser(queue, peers(weights), counts, new Failures());
        InetAddressAndPort self = FBUtilities.getBroadcastAddressAndPort();
        List<InetAddressAndPort> replicas = List.of(self, node(2), node(3));
        assertNotEquals(self, chooser.among(replicas, CounterUpdate.current()));
        assertEquals(self, chooser.among(replicas, CounterUpdate.current()));
        assertEquals(1, count(counts, "LeaderRedirected"));
        assertEquals(1, count(counts, "LeaderLocal"));
        CounterUpdate.current().clear();
    }

    /** As where clients know this node alone, and the others are idle. */
    @Test
    void aNodeWithoutAFreeThreadHasOneWithAShorterQueueLead() {
        long now = System.nanoTime();
        ServiceWeights weights = weights(now);
        LocalQueueTest.Stage stage = new LocalQueueTest.Stage();
        LocalQueue queue = new LocalQueue(stage, () -> 0, weights, now);
        PeerQueues peers = peers(weights);
        DecisionCounts counts = new DecisionCounts();
        LeaderChooser chooser = chooser(queue, peers, counts, new Failures());
        InetAddressAndPort self = FBUtilities.getBroadcastAddressAndPort();
        List<InetAddressAndPort> replicas = List.of(self, node(2), node(3));
        stage.active = LocalQueueTest.Stage.THREADS;
        assertEquals(self, chooser.among(replicas, CounterUpdate.current()), "no other queue is known");
        peers.of(node(3)).reported(0, System.nanoTime(), System.nanoTime());
        assertEquals(node(3), chooser.among(replicas, CounterUpdate.current()));
        stage.active--;
        assertEquals(self, chooser.among(replicas, CounterUpdate.current()), "a thread is free");
        assertEquals(1, count(counts, "LeaderRedirected"));
        assertEquals(2, count(counts, "LeaderLocal"));
        assertEquals(0, count(counts, "vnode_mbox_check_timeout"), "none has waited");
        CounterUpdate.current().clear();
    }

    private static ServiceWeights weights(long now) {
        return new ServiceWeights(32, 2_000_000, TimeUnit.SECONDS.toNanos(10), now);
    }

    private static LeaderChooser chooser(DecisionCounts counts, Failures failures) {
        long now = System.nanoTime();
        ServiceWeights weights = weights(now);
        LocalQueue queue = new LocalQueue(Stage.COUNTER_MUTATION.executor(), () -> 0, weights, now);
        return chooser(queue, peers(weights), counts, failures);
    }

    private static PeerQueues peers(ServiceWeights weights) {
        return new PeerQueues(
                SETTINGS, weights, new SpeedComparison(2_000_000, 10_000_000_000L, System.nanoTime()), node -> true);
    }

    private static LeaderChooser chooser(LocalQueue queue, PeerQueues peers, DecisionCounts counts, Failures failures) {
        return new LeaderChooser(
                SETTINGS,
                FBUtilities.getBroadcastAddressAndPort(),
                queue,
                peers,
                new QueueQuestions(queue, peers, new OwnMessages(new Cassandra50(), failures)),
                counts,
                4);
    }

    private static long count(DecisionCounts counts, String name) {
        return counts.byName().get(name).getAsLong();
    }
}
