// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.queue;

import java.util.Map;
import java.util.function.IntSupplier;

import dev.isotherm.cassandra.Failures;
import dev.isotherm.cassandra.config.IsothermConfig;
import dev.isotherm.cassandra.version.CassandraVersion;
import dev.isotherm.cassandra.wire.QueueGossip;
import dev.isotherm.cassandra.wire.QueuePiggyback;
import dev.isotherm.cassandra.wire.QueueQuestions;
import dev.isotherm.queue.DepthEstimator;
import dev.isotherm.queue.QueueDepth;
import org.apache.cassandra.concurrent.Stage;
import org.apache.cassandra.gms.Gossiper;
import org.apache.cassandra.locator.IEndpointSnitch;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.schema.KeyspaceMetadata;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableMetadata;

/** Leaders of counter updates chosen by their queues, on one node: what that is made of, and what it does each second. */
public final class CounterLeaders {
    private final QueueSwitch enabled;
    private final PeerQueues peers;
    private final DecisionCounts counts = new DecisionCounts();
    private final QueueQuestions questions;
    private final QueuePiggyback piggyback;
    private final QueueGossip gossip;
    private final LeaderSteering steering;
    private final IntSupplier localDepth;
    private volatile boolean servesCounters;

    public CounterLeaders(
            IsothermConfig config,
            CassandraVersion version,
            IEndpointSnitch snitch,
            InetAddressAndPort self,
            Failures failures) {
        this.enabled = new QueueSwitch(config.queueEnabled());
        this.localDepth = CounterLeaders::depthOfStage;
        this.peers = new PeerQueues(config.queue());
        this.questions = new QueueQuestions(localDepth, failures);
        this.piggyback = new QueuePiggyback(() -> servesCounters && enabled.isOn(), localDepth, peers, questions, failures);
        this.gossip = new QueueGossip(version, peers, piggyback, failures);
        this.steering = new LeaderSteering(enabled, version, snitch,
            new LeaderChooser(config.queue(), self, localDepth, peers, questions, counts), failures);
    }

    /** The stage in which a leader reads, adds and applies: what waits there and what is being served. */
    private static int depthOfStage() {
        return QueueDepth.ofCount((long) Stage.COUNTER_MUTATION.executor().getPendingTaskCount()
            + Stage.COUNTER_MUTATION.executor().getActiveTaskCount());
    }

    /** Begins to tell and hear of queues. */
    public void start(CassandraVersion version) {
        Gossiper.instance.register(gossip);
        version.onOutbound(piggyback::onOutbound);
        version.onInbound(message -> piggyback.onInbound(message) && questions.onInbound(message));
    }

    /** To be called once a second. */
    public void tick() {
        servesCounters = hasCounters();
        if (!servesCounters || !enabled.isOn()) {
            return;
        }
        long now = System.nanoTime();
        gossip.offer(localDepth.getAsInt(), now);
        for (Map.Entry<InetAddressAndPort, DepthEstimator> peer : peers.all().entrySet()) {
            DepthEstimator estimator = peer.getValue();
            // Nobody waits for a peer that has fallen silent: without this it would stay silent for good.
            if (estimator.isSilent(now) && estimator.claimQuestion(now)) {
                questions.ask(peer.getKey(), estimator, () -> {});
            }
        }
    }

    private static boolean hasCounters() {
        for (KeyspaceMetadata keyspace : Schema.instance.distributedKeyspaces()) {
            for (TableMetadata table : keyspace.tables) {
                if (table.isCounter()) {
                    return true;
                }
            }
        }
        return false;
    }

    public QueueSwitch enabled() {
        return enabled;
    }

    public LeaderSteering steering() {
        return steering;
    }

    public PeerQueues peers() {
        return peers;
    }

    public DecisionCounts counts() {
        return counts;
    }

    public QueueQuestions questions() {
        return questions;
    }

    /** The length of this node's own queue. */
    public int localDepth() {
        return localDepth.getAsInt();
    }
}
