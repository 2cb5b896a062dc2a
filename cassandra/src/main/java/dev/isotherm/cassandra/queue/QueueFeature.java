// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.queue;

import dev.isotherm.cassandra.config.ChangeableKeys;
import dev.isotherm.cassandra.feature.Feature;
import dev.isotherm.cassandra.runtime.Failures;
import dev.isotherm.cassandra.runtime.OwnTasks;
import dev.isotherm.cassandra.runtime.PeriodicTask;
import dev.isotherm.cassandra.runtime.RuntimeSetting;
import dev.isotherm.cassandra.runtime.RuntimeSwitch;
import dev.isotherm.cassandra.runtime.StatementInterceptor;
import dev.isotherm.cassandra.version.CassandraVersion;
import dev.isotherm.cassandra.wire.OwnMessages;
import dev.isotherm.cassandra.wire.WireHandlers;
import dev.isotherm.queue.DepthEstimator;
import dev.isotherm.queue.QueueSettings;
import dev.isotherm.queue.ServiceWeights;
import dev.isotherm.queue.SpeedComparison;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.cassandra.concurrent.ResizableThreadPool;
import org.apache.cassandra.concurrent.Stage;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.virtual.VirtualTable;
import org.apache.cassandra.gms.Gossiper;
import org.apache.cassandra.locator.IEndpointSnitch;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.schema.KeyspaceMetadata;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.StorageService;

/**
 * The choice of counter updates' leaders by their queues, on one node: the known queues, and the reports between nodes.
 */
public final class QueueFeature implements Feature {
    /** Service times up to this are equally fast. */
    private static final long FAST_ENOUGH_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    /** The least time for which the service time of a fast node counts as the fastest. */
    private static final long REMEMBERED_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final long SAMPLE_MILLIS = 10;
    private static final long SECOND_MILLIS = 1000;

    private final QueueConfig config;
    private final RuntimeSwitch enabled;
    private final InetAddressAndPort self;
    private final PeerQueues peers;
    private final DecisionCounts decisions = new DecisionCounts();
    private final QueueQuestions questions;
    private final QueuePiggyback piggyback;
    private final QueueGossip gossip;
    private final LeaderChooser chooser;
    private final LeaderSteering steering;
    private final LocalQueue queue;
    private volatile boolean servesCounters;

    /** @param snitch the operator's own snitch */
    public QueueFeature(
            QueueConfig config,
            CassandraVersion version,
            IEndpointSnitch snitch,
            InetAddressAndPort self,
            Failures failures) {
        this.config = config;
        this.enabled = new RuntimeSwitch(config.enabled());
        this.self = self;
        long now = System.nanoTime();
        // Assumes that other nodes have as many threads as this one.
        ResizableThreadPool stage = Stage.COUNTER_MUTATION.executor();
        ServiceWeights weights =
                new ServiceWeights(stage.getMaximumPoolSize(), FAST_ENOUGH_NANOS, REMEMBERED_NANOS, now);
        this.queue = new LocalQueue(stage, () -> OwnTasks.of(Stage.COUNTER_MUTATION), weights, now);
        SpeedComparison comparison = new SpeedComparison(FAST_ENOUGH_NANOS, REMEMBERED_NANOS, now);
        this.peers = new PeerQueues(config.settings(), weights, comparison, this::mayLead);
        this.questions = new QueueQuestions(queue, peers, new OwnMessages(version, failures));
        this.piggyback = new QueuePiggyback(enabled::isOn, () -> servesCounters, queue, peers, questions);
        this.gossip = new QueueGossip(version, peers, questions, piggyback, failures);
        this.chooser = new LeaderChooser(
                config.settings(),
                self,
                queue,
                peers,
                questions,
                decisions,
                DatabaseDescriptor.getNativeTransportMaxThreads());
        this.steering = new LeaderSteering(
                version,
                snitch,
                chooser,
                () -> StorageService.instance.getTokenMetadata().getRingVersion(),
                failures);
    }

    @Override
    public String name() {
        return "queue";
    }

    @Override
    public RuntimeSwitch enabled() {
        return enabled;
    }

    /** Whether a node may lead updates that this one coordinates, as far as is known. */
    private boolean mayLead(InetAddressAndPort node) {
        return steering != null && steering.mayLead(node);
    }

    /** Steers Cassandra's pick of the leader. */
    public LeaderSteering steering() {
        return steering;
    }

    @Override
    public void start(WireHandlers handlers) {
        gossip.install(handlers);
        piggyback.install(handlers);
        questions.install(handlers);
    }

    @Override
    public List<PeriodicTask> tasks() {
        return List.of(
                new PeriodicTask(
                                SAMPLE_MILLIS,
                                "The queue for counter updates was not measured; the next time is in " + SAMPLE_MILLIS
                                        + " ms",
                                () -> queue.sample(System.nanoTime()))
                        .notWhileIdle()
                        .whileNeeded(() -> servesCounters),
                new PeriodicTask(
                        SECOND_MILLIS,
                        "The queue for counter updates was not told to peers; the next time is in a second",
                        this::tellAndAsk),
                new PeriodicTask(
                        SECOND_MILLIS,
                        "The nodes that lead counter updates were not looked at; the next time is in a second",
                        () -> steering.look(Gossiper.instance.getLiveMembers())));
    }

    private void tellAndAsk() {
        peers.keepOnly(Gossiper.instance.getLiveMembers());
        servesCounters = hasCounters();
        if (!servesCounters || !enabled.isOn()) {
            return;
        }
        long now = System.nanoTime();
        gossip.offer(queue, now);
        if (!questions.mayBeAsked()) {
            return;
        }
        for (Map.Entry<InetAddressAndPort, DepthEstimator> peer : peers.all().entrySet()) {
            DepthEstimator estimator = peer.getValue();
            // No decision waits for a silent peer or asks it: without this question the peer would stay silent for
            // ever.
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

    @Override
    public Optional<StatementInterceptor> interceptor() {
        return Optional.of(new CounterUpdateInterceptor(enabled));
    }

    @Override
    public List<RuntimeSetting> settings() {
        List<RuntimeSetting> settings = new ArrayList<>(List.of(enabled.setting("queue.enabled")));
        ChangeableKeys<QueueSettings> keys = config.changeable();
        settings.addAll(RuntimeSetting.keepable(
                keys.names(),
                keys::valueOf,
                (name, value) -> keys.change(name, value, this::use),
                keys::refuseUnlessRight));
        return settings;
    }

    private void use(QueueSettings changed) {
        peers.use(changed);
        chooser.use(changed);
    }

    @Override
    public List<VirtualTable> views(String keyspace) {
        return List.of(new QueuesTable(keyspace, queue, peers, self));
    }

    @Override
    public Map<String, LongSupplier> counts() {
        Map<String, LongSupplier> counts = decisions.byName();
        counts.put("QueueQuestionsAsked", questions::asked);
        counts.put("QueueDepthsMalformed", questions::malformed);
        return counts;
    }
}
