// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import dev.isotherm.cassandra.config.ChangeableKeys;
import dev.isotherm.cassandra.feature.Feature;
import dev.isotherm.cassandra.runtime.DiskWaits;
import dev.isotherm.cassandra.runtime.Failures;
import dev.isotherm.cassandra.runtime.PeriodicTask;
import dev.isotherm.cassandra.runtime.PresentTables;
import dev.isotherm.cassandra.runtime.RuntimeSetting;
import dev.isotherm.cassandra.runtime.RuntimeSwitch;
import dev.isotherm.cassandra.runtime.StatementInterceptor;
import dev.isotherm.cassandra.version.CassandraVersion;
import dev.isotherm.cassandra.views.NodeHeat;
import dev.isotherm.cassandra.wire.WireHandlers;
import dev.isotherm.guard.ReplicaStatus;
import dev.isotherm.heat.DiskPlaces;
import dev.isotherm.heat.DisksOfNodes;
import dev.isotherm.heat.HeatBoard;
import dev.isotherm.heat.SteadyDraws;
import dev.isotherm.heat.Warmth;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.virtual.VirtualTable;
import org.apache.cassandra.gms.Gossiper;
import org.apache.cassandra.locator.EndpointsForToken;
import org.apache.cassandra.locator.IEndpointSnitch;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.service.StorageService;

/** Heat-weighted reads on one node: assembles the board, the meter, the plans and the ordering. */
public final class HeatFeature implements Feature {
    private static final long ROUND_MILLIS = 200;
    private static final long SECOND_MILLIS = 1000;
    /** Tables looked up in the schema a second, on average: all at once, the more seldom the more there are. */
    private static final int LOOKED_UP_A_SECOND = 200;

    private final HeatConfig config;
    private final CassandraVersion version;
    private final InetAddressAndPort self;
    private final Failures failures;
    private final Function<InetAddressAndPort, ReplicaStatus> guard;
    private final HeatSwitches switches;
    private final HeatBoard<TableId, InetAddressAndPort> board;
    private final DisksOfNodes<InetAddressAndPort> disks = new DisksOfNodes<>();
    /** Null where the system does not tell which reads go to the disk, or the source is another. */
    private final DiskSampling sampling;

    private final RemoteReadTimes times;
    private final HeatMeter meter;
    private final DeadNodes deadNodes = new DeadNodes(() -> Gossiper.instance.getUnreachableMembers());
    private final GroupPlans plans;
    private final PartitionHomes homes;
    private final ReplicaOrdering ordering;
    private final HeatIntake intake;
    private final HeatWire wire;
    private final HeatPublisher publisher;
    private final HeatMetrics metrics;
    private final NodeWarmth warmth;
    private final Predicate<InetAddressAndPort> isAvoided;
    private int untilLookUp;

    /**
     * @param snitch the operator's own snitch
     * @param stock the one by which the node would order replicas without the plugin
     * @param guard what the guard sees of a replica, for operators; null if it sees nothing
     * @param isAvoided whether reads of this node avoid a replica
     */
    public HeatFeature(
            HeatConfig config,
            CassandraVersion version,
            IEndpointSnitch snitch,
            IEndpointSnitch stock,
            InetAddressAndPort self,
            Function<InetAddressAndPort, ReplicaStatus> guard,
            Predicate<InetAddressAndPort> isAvoided,
            Failures failures) {
        this.config = config;
        this.guard = guard;
        this.isAvoided = isAvoided;
        HeatSettings settings = config.settings();
        LongSupplier nanoClock = System::nanoTime;
        this.version = version;
        this.self = self;
        this.failures = failures;
        this.switches = new HeatSwitches(config.enabled(), settings.balance, settings.placement);
        this.board = new HeatBoard<>(settings.staleAfterNanos, settings.balance);
        this.sampling = config.source().mayUseDisk() && ThreadDiskReads.areTold() ? new DiskSampling() : null;
        this.times = new RemoteReadTimes(() -> switches.choice() == PlacementChoice.AUTO, nanoClock);
        this.meter = new HeatMeter(
                config.source(),
                sampling,
                switches,
                settings.smoothingNanos,
                board,
                self,
                new PlacementChooser(
                        switches,
                        board,
                        times.trips(),
                        snitch,
                        () -> StorageService.instance.getTokenMetadata().getAllMembers(),
                        deadNodes::contains,
                        isAvoided,
                        self,
                        failures));
        this.plans = new GroupPlans(
                new GroupPlanner(board, new SchemaBlockFor(), snitch, self, disks, nanoClock),
                switches,
                settings.planMemoryBytes,
                failures);
        this.ordering = new ReplicaOrdering(
                switches,
                snitch,
                stock,
                deadNodes,
                plans,
                () -> ThreadLocalRandom.current().nextDouble(),
                new SteadyDraws(ThreadLocalRandom.current().nextLong()),
                nanoClock);
        this.homes = new PartitionHomes(switches, ordering);
        this.intake = new HeatIntake(board, disks, HeatFeature::exists, nanoClock);
        this.wire = new HeatWire(version, intake, nanoClock, failures);
        this.publisher =
                new HeatPublisher(HeatFeature::nodes, this::servedAtOnce, version::uuidOf, wire::publish, wire::carry);
        this.metrics = new HeatMetrics(board, plans::shownLedgerOf, HeatMetrics::nameInSchema, nanoClock);
        this.warmth = new NodeWarmth(board, switches, snitch);
    }

    private int servedAtOnce() {
        return sampling == null ? DiskPlaces.NOT_KNOWN : sampling.servedAtOnce();
    }

    private static int nodes() {
        Gossiper gossiper = Gossiper.instance;
        return Math.max(
                1,
                gossiper.getLiveMembers().size()
                        + gossiper.getUnreachableMembers().size());
    }

    @Override
    public String name() {
        return "heat";
    }

    @Override
    public RuntimeSwitch enabled() {
        return switches.enabled();
    }

    /** The ordering of the replicas of reads. */
    public ReplicaOrdering ordering() {
        return ordering;
    }

    /**
     * Whether a living replica is to have in its caches the partition that the present statement reads: under placement
     * {@code affinity} only those that read it while all are equally warm.
     */
    public boolean isHome(InetAddressAndPort replica, EndpointsForToken replicas) {
        return homes.contain(replica, replicas);
    }

    /** Tells how often a copy of a read that this node serves waits for the disk; counted like its other reads. */
    public DiskWaits copyWaits() {
        return sampling == null ? DiskWaits.UNKNOWN : sampling;
    }

    /**
     * Notes that copies of this coordinator's reads of some tables, and of no others, warm a node: clients' reads spare
     * it then.
     *
     * @param tables not to be changed afterwards
     */
    public void warmed(InetAddressAndPort node, Set<TableId> tables) {
        board.warmed(node, tables);
    }

    /** What is known of a node over all tables of users. */
    public NodeHeat heatOf(InetAddressAndPort node) {
        Warmth<TableId> coldest = warmth.of(node);
        String name = coldest.coldestTable == null ? null : HeatMetrics.nameInSchema(coldest.coldestTable);
        double wanted = 0;
        double sent = 0;
        ShareLedger.Contacts own = new ShareLedger.Contacts();
        for (Map.Entry<InetAddressAndPort, ShareLedger.Contacts> each :
                plans.contacts().entrySet()) {
            wanted += each.getValue().wanted;
            sent += each.getValue().sent;
            own = each.getKey().equals(node) ? each.getValue() : own;
        }
        boolean anyRead = wanted > ShareLedger.LEAST_CONTACTS && sent > ShareLedger.LEAST_CONTACTS;
        return new NodeHeat(
                name,
                name == null ? Double.NaN : coldest.timesPeers,
                anyRead ? own.wanted / wanted : Double.NaN,
                anyRead ? own.sent / sent : Double.NaN);
    }

    /**
     * What a read of each table of users costs this node, over what it costs its peers; NaN where that is unknown. A
     * table that nobody reads is missing: there are no reads that could be copied to warm it. A peer that this node
     * leaves out of reads is no measure: it keeps its rows, while the others cache them beside their own and miss more.
     */
    public Map<TableId, Double> timesPeersOfRead() {
        Map<TableId, Double> times = warmth.timesPeers(self, peer -> !isAvoided.test(peer) && !board.isLeftOut(peer));
        long now = System.nanoTime();
        times.keySet().removeIf(table -> board.isIdle(table, now));
        return times;
    }

    @Override
    public void start(WireHandlers handlers) {
        wire.install(handlers);
        times.install(handlers);
        if (sampling != null) {
            sampling.install(handlers);
        }
    }

    @Override
    public void resume() {
        if (sampling != null) {
            sampling.beginAnew();
        }
    }

    @Override
    public List<PeriodicTask> tasks() {
        return List.of(
                new PeriodicTask(
                                ROUND_MILLIS,
                                "A round of heat measuring failed; the next is due in " + ROUND_MILLIS + " ms",
                                this::measure)
                        .notWhileIdle(),
                new PeriodicTask(
                        SECOND_MILLIS,
                        "The shares that operators see were not brought up to date; the next time is in a second",
                        this::settle));
    }

    private void measure() {
        long nowNanos = System.nanoTime();
        deadNodes.refresh();
        board.lookWhoIsLeftOut(Gossiper.instance.getLiveMembers(), isAvoided, nowNanos);
        Map<TableId, TableHeat> heats = meter.sample(PresentTables::all, nowNanos);
        if (meter.hasLookedAtAllRead()) {
            publisher.offer(heats, nowNanos);
        }
    }

    /** Updates the shares in the operator's views, and now and then follows the tables that there are. */
    private void settle() {
        // While all features are off nothing is measured.
        meter.restUnlessUsed();
        disks.told(self, servedAtOnce());
        plans.settle();
        if (untilLookUp-- <= 0) {
            forgetDropped(board.tables());
            forgetDropped(switches.tables());
            metrics.followTables();
            untilLookUp = board.tables().size() / LOOKED_UP_A_SECOND;
        }
    }

    private void forgetDropped(Set<TableId> tables) {
        for (TableId table : tables) {
            if (!exists(table)) {
                board.forgetTable(table);
                // Before the plans: one that is made in between follows the balance of a table that comes back.
                switches.forgetTable(table);
                plans.forgetTable(table);
            }
        }
    }

    @Override
    public Optional<StatementInterceptor> interceptor() {
        boolean permissionsAreRead = DatabaseDescriptor.getAuthenticator().requireAuthentication()
                || DatabaseDescriptor.getAuthorizer().requireAuthorization();
        return Optional.of(new StatementReader(version, failures, permissionsAreRead, table -> {
            if (sampling != null) {
                sampling.begin(table, true);
            }
        }));
    }

    @Override
    public List<RuntimeSetting> settings() {
        List<RuntimeSetting> settings =
                new ArrayList<>(List.of(switches.enabled().setting("heat.enabled")));
        ChangeableKeys<HeatSettings> keys = config.changeable();
        settings.addAll(RuntimeSetting.keepable(
                keys.names(),
                keys::valueOf,
                (name, value) -> keys.change(name, value, this::use),
                keys::refuseUnlessRight));
        return settings;
    }

    private void use(HeatSettings changed) {
        board.use(changed.staleAfterNanos, changed.balance);
        meter.smooth(changed.smoothingNanos);
        plans.limit(changed.planMemoryBytes);
        // The last, because the plans are made anew from here on.
        switches.use(changed.balance, changed.placement);
    }

    @Override
    public List<VirtualTable> views(String keyspace) {
        return List.of(new HeatTable(keyspace, board, plans, switches, guard));
    }

    @Override
    public Map<String, LongSupplier> counts() {
        Map<String, LongSupplier> counts = new LinkedHashMap<>();
        counts.put("BalancedReads", ordering::balancedReads);
        counts.put("UnchangedReads", ordering::unchangedReads);
        counts.put("PlansBuilt", plans::built);
        counts.put("PlanBytes", plans::bytes);
        if (sampling != null) {
            counts.put("ReadsSampled", sampling::sampled);
            counts.put("DiskReadsAtOnce", sampling::servedAtOnce);
        }
        counts.put("ReportsAccepted", intake::accepted);
        counts.put("ReportsMalformed", intake::malformed);
        return counts;
    }

    private static boolean exists(TableId table) {
        return Schema.instance.getTableMetadata(table) != null;
    }
}
