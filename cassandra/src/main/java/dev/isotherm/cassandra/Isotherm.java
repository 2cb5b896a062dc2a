// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra;

import dev.isotherm.cassandra.config.IsothermConfig;
import dev.isotherm.cassandra.heat.DeadNodes;
import dev.isotherm.cassandra.heat.HeatBalancing;
import dev.isotherm.cassandra.heat.StatementReader;
import dev.isotherm.cassandra.limit.PartitionLimiting;
import dev.isotherm.cassandra.queue.CounterLeaders;
import dev.isotherm.cassandra.schema.LimitOption;
import dev.isotherm.cassandra.version.CassandraVersion;
import dev.isotherm.cassandra.views.CountsTable;
import dev.isotherm.cassandra.views.HeatMetrics;
import dev.isotherm.cassandra.views.HeatTable;
import dev.isotherm.cassandra.views.HottestPartitionsTable;
import dev.isotherm.cassandra.views.NodeCounts;
import dev.isotherm.cassandra.views.PartitionLimitsTable;
import dev.isotherm.cassandra.views.QueuesTable;
import dev.isotherm.cassandra.views.SettingsTable;
import dev.isotherm.cassandra.wire.HeatGossip;
import dev.isotherm.cassandra.wire.HeatIntake;
import dev.isotherm.cassandra.wire.HeatPiggyback;
import dev.isotherm.cassandra.wire.HeatPublisher;
import dev.isotherm.heat.Heat;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.db.virtual.VirtualKeyspace;
import org.apache.cassandra.db.virtual.VirtualKeyspaceRegistry;
import org.apache.cassandra.gms.Gossiper;
import org.apache.cassandra.locator.IEndpointSnitch;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The plugin on one node: what it is made of, when it starts, and its one thread. */
public final class Isotherm {
    /** The keyspace of the virtual tables. */
    public static final String KEYSPACE = "isotherm";

    private static final Logger logger = LoggerFactory.getLogger("dev.isotherm");
    private static final long TICK_MILLIS = 200;
    private static final long SAMPLE_MILLIS = 10;
    private static final int TICKS_PER_SECOND = (int) (1000 / TICK_MILLIS);

    private final CassandraVersion version;
    private final Failures failures = new Failures();
    private final DeadNodes deadNodes;
    private final HeatBalancing heat;
    private final HeatIntake intake;
    private final HeatPiggyback piggyback;
    private final HeatGossip gossip;
    private final HeatPublisher publisher;
    private final PartitionLimiting limiting;
    private final CounterLeaders leaders;
    private final InetAddressAndPort self;
    private final NodeCounts counts;
    private final HeatMetrics metrics;
    private final AtomicBoolean started = new AtomicBoolean();
    private int ticks;

    public Isotherm(IsothermConfig config, CassandraVersion version, IEndpointSnitch snitch, InetAddressAndPort self) {
        this.version = version;
        this.deadNodes = new DeadNodes(() -> Gossiper.instance.getUnreachableMembers());
        this.heat = new HeatBalancing(config, snitch, self, deadNodes, System::nanoTime);
        this.intake = new HeatIntake(heat.board(), Isotherm::exists, System::nanoTime);
        this.piggyback = new HeatPiggyback(intake, System::nanoTime, failures);
        this.gossip = new HeatGossip(version, intake, failures);
        this.publisher = new HeatPublisher(version, gossip, piggyback);
        this.limiting = new PartitionLimiting(config, version, snitch, self, new SecureRandom().nextLong(), failures);
        this.leaders = new CounterLeaders(config, version, snitch, self, failures);
        this.self = self;
        this.counts = new NodeCounts(heat, intake, limiting, leaders, failures);
        this.metrics = new HeatMetrics(heat, counts);
    }

    public HeatBalancing heat() {
        return heat;
    }

    /** Understands the table option that sets limits. */
    public LimitOption limitOption() {
        return new LimitOption(version, failures);
    }

    public CounterLeaders leaders() {
        return leaders;
    }

    public PartitionLimiting limiting() {
        return limiting;
    }

    /** Tells the snitch which statement is in progress. */
    public StatementReader statementReader() {
        boolean permissionsAreRead = DatabaseDescriptor.getAuthenticator().requireAuthentication()
                || DatabaseDescriptor.getAuthorizer().requireAuthorization();
        return new StatementReader(version, failures, permissionsAreRead);
    }

    public Failures failures() {
        return failures;
    }

    /** Starts telling and hearing of heat and admissions, when the gossiper exists and is about to start; does nothing the second time. */
    public void start() {
        // Switching gossip off and on again (nodetool disablegossip, enablegossip) starts the gossiper once more.
        if (!started.compareAndSet(false, true)) {
            return;
        }
        Gossiper.instance.register(gossip);
        version.onOutbound(piggyback::onOutbound);
        version.onInbound(piggyback::onInbound);
        limiting.start(version);
        leaders.start(version);
        VirtualKeyspaceRegistry.instance.register(new VirtualKeyspace(
                KEYSPACE,
                List.of(
                        new HeatTable(KEYSPACE, heat),
                        new SettingsTable(KEYSPACE, heat.switches(), limiting.enabled(), leaders.enabled()),
                        new QueuesTable(KEYSPACE, leaders, self),
                        new PartitionLimitsTable(KEYSPACE, limiting.limits()),
                        new HottestPartitionsTable(KEYSPACE, limiting.hottest()),
                        new CountsTable(KEYSPACE, counts))));
        metrics.register();
        ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "Isotherm");
            thread.setDaemon(true);
            return thread;
        });
        executor.scheduleWithFixedDelay(this::tick, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
        executor.scheduleWithFixedDelay(this::sampleQueue, SAMPLE_MILLIS, SAMPLE_MILLIS, TimeUnit.MILLISECONDS);
        logger.info(
                "Isotherm for Cassandra {} started: balancing {}, placement {}, limits {}, queues {}",
                version.releaseLine(),
                heat.switches().isEnabled() ? "on" : "off",
                heat.switches().placement(),
                limiting.enabled().isOn() ? "on" : "off",
                leaders.enabled().isOn() ? "on" : "off");
    }

    private void sampleQueue() {
        try {
            leaders.queue().sample(System.nanoTime());
        } catch (Throwable t) {
            failures.record(
                    "The queue for counter updates was not measured; the next time is in " + SAMPLE_MILLIS + " ms", t);
        }
    }

    private void tick() {
        try {
            long nowNanos = System.nanoTime();
            deadNodes.refresh();
            Map<TableId, Heat> heats = heat.sample(tables(), nowNanos);
            publisher.offer(heats, nowNanos);
            if (++ticks % TICKS_PER_SECOND == 0) {
                heat.settle(Isotherm::exists);
                metrics.followReplicas();
                limiting.tick();
                leaders.tick();
            }
        } catch (Throwable t) {
            // An executor never runs a task again that threw: the plugin would fall silent for good.
            failures.record("A round of heat measuring failed; the next is due in " + TICK_MILLIS + " ms", t);
        }
    }

    /** All tables. ColumnFamilyStore.all() would fail on a keyspace that is being dropped. */
    private static List<ColumnFamilyStore> tables() {
        List<ColumnFamilyStore> tables = new ArrayList<>();
        for (String name : Schema.instance.getKeyspaces()) {
            Keyspace keyspace = Schema.instance.getKeyspaceInstance(name);
            if (keyspace != null) {
                tables.addAll(keyspace.getColumnFamilyStores());
            }
        }
        return tables;
    }

    private static boolean exists(TableId table) {
        return Schema.instance.getTableMetadata(table) != null;
    }
}
