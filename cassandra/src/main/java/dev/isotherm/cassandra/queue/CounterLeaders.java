// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.queue;

import dev.isotherm.cassandra.Failures;
import dev.isotherm.cassandra.RuntimeSwitch;
import dev.isotherm.cassandra.config.IsothermConfig;
import dev.isotherm.cassandra.version.CassandraVersion;
import dev.isotherm.cassandra.wire.QueueGossip;
import dev.isotherm.cassandra.wire.QueuePiggyback;
import dev.isotherm.cassandra.wire.QueueQuestions;
import dev.isotherm.queue.DepthEstimator;
import dev.isotherm.queue.ServiceWeights;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.concurrent.ResizableThreadPool;
import org.apache.cassandra.concurrent.Stage;
import org.apache.cassandra.gms.Gossiper;
import org.apache.cassandra.locator.IEndpointSnitch;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.schema.KeyspaceMetadata;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableMetadata;

/** Leaders of counter updates chosen by their queues, on one node: what that is made of, and what it does each second. */
public final class CounterLeaders {
    /** Service times up to this are equally fast. */
    private static final long FAST_ENOUGH_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    /** How long, at least, a node that was fast is compared with. */
    private static final long REMEMBERED_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final RuntimeSwitch enabled;
    private final PeerQueues peers;
    private final DecisionCounts counts = new DecisionCounts();
    private final QueueQuestions questions;
    private final QueuePiggyback piggyback;
    private final QueueGossip gossip;
    private final LeaderSteering steering;
    private final LocalQueue queue;
    private volatile boolean servesCounters;

    public CounterLeaders(
            IsothermConfig config,
            CassandraVersion version,
            IEndpointSnitch snitch,
            InetAddressAndPort self,
            Failures failures) {
        this.enabled = new RuntimeSwitch(config.queueEnabled());
        long now = System.nanoTime();
        // Other nodes are taken to have as many threads as this one.
        ResizableThreadPool stage = Stage.COUNTER_MUTATION.executor();
        ServiceWeights weights =
                new ServiceWeights(stage.getMaximumPoolSize(), FAST_ENOUGH_NANOS, REMEMBERED_NANOS, now);
        this.queue = new LocalQueue(stage, weights, now);
        this.peers = new PeerQueues(config.queue(), weights);
        this.questions = new QueueQuestions(queue, peers, failures);
        this.piggyback = new QueuePiggyback(() -> servesCounters && enabled.isOn(), queue, peers, questions, failures);
        this.gossip = new QueueGossip(version, peers, piggyback, failures);
        this.steering = new LeaderSteering(
                enabled,
                version,
                snitch,
                new LeaderChooser(config.queue(), self, queue, peers, questions, counts),
                failures);
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
        gossip.offer(queue, now);
        for (Map.Entry<InetAddressAndPort, DepthEstimator> peer : peers.all().entrySet()) {
            DepthEstimator estimator = peer.getValue();
            // Nobody waits for a peer that has fallen silent: without this it would stay silent for good.
            if (estimator.isSilent(now) && estimator.claimQuestion(now)) {
                questions.ask(peer.getKey(), estimator);
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

    public RuntimeSwitch enabled() {
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

    public LocalQueue queue() {
        return queue;
    }
}
