// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.warming;

import dev.isotherm.cassandra.config.ChangeableKeys;
import dev.isotherm.cassandra.feature.Feature;
import dev.isotherm.cassandra.runtime.DiskWaits;
import dev.isotherm.cassandra.runtime.Failures;
import dev.isotherm.cassandra.runtime.PeriodicTask;
import dev.isotherm.cassandra.runtime.RuntimeSetting;
import dev.isotherm.cassandra.runtime.RuntimeSwitch;
import dev.isotherm.cassandra.runtime.StatementInterceptor;
import dev.isotherm.cassandra.runtime.WarmingListener;
import dev.isotherm.cassandra.version.CassandraVersion;
import dev.isotherm.cassandra.wire.OwnMessages;
import dev.isotherm.cassandra.wire.WireHandlers;
import dev.isotherm.warming.ColdTables;
import dev.isotherm.warming.CopyPace;
import dev.isotherm.warming.Invitation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiPredicate;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.virtual.VirtualTable;
import org.apache.cassandra.gms.Gossiper;
import org.apache.cassandra.locator.EndpointsForToken;
import org.apache.cassandra.locator.IEndpointSnitch;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.EndpointMessagingVersions;
import org.apache.cassandra.net.MessagingService;
import org.apache.cassandra.net.Verb;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.StorageService;

/**
 * Warms nodes that came back cold: this node, by asking the coordinators of its datacenter for copies of their reads,
 * and others, by sending them copies of its own.
 */
public final class WarmingFeature implements Feature {
    private static final long ROUND_MILLIS = 1000;

    private final WarmingConfig config;
    private final RuntimeSwitch enabled;
    private final CassandraVersion version;
    private final IEndpointSnitch snitch;
    private final InetAddressAndPort self;
    private final Failures failures;
    private final Supplier<Map<TableId, Double>> timesPeers;
    private final OwnMessages messages;
    private volatile long atMostNanos;
    /** Null before the first look: the replay of the commit log, or a bootstrap, is over then. */
    private ColdTables<TableId> cold;

    private final CopyPace pace = new CopyPace();
    private final WarmingLog log = new WarmingLog();
    private final CopiedReads copies;
    private final CopySender sender;
    private Set<TableId> asked = Set.of();
    private long arrivedBefore;
    private long droppedBefore;
    private long refusedBefore;

    /**
     * @param snitch the operator's own snitch
     * @param timesPeers what a read of each table costs this node, over what it costs its peers
     * @param avoided whether reads of this coordinator avoid the node
     * @param homes whether a living replica, of these replicas, is to have the partition in its caches that the present
     *     statement reads
     * @param listener hears of the nodes that copies of this coordinator's reads warm
     * @param waits how often a copy waits for the disk that this node serves
     */
    public WarmingFeature(
            WarmingConfig config,
            CassandraVersion version,
            IEndpointSnitch snitch,
            InetAddressAndPort self,
            Supplier<Map<TableId, Double>> timesPeers,
            Predicate<InetAddressAndPort> avoided,
            BiPredicate<InetAddressAndPort, EndpointsForToken> homes,
            WarmingListener listener,
            DiskWaits waits,
            Failures failures) {
        this.config = config;
        this.enabled = new RuntimeSwitch(config.enabled());
        this.version = version;
        this.snitch = snitch;
        this.self = self;
        this.failures = failures;
        this.timesPeers = timesPeers;
        this.messages = new OwnMessages(version, failures);
        this.atMostNanos = config.settings().atMostNanos;
        this.copies = new CopiedReads(most(config.settings()), waits, failures);
        this.sender = new CopySender(self, messages, copies, avoided, homes, WarmingFeature::understands, listener);
    }

    private static int most(WarmingSettings settings) {
        // Copies in the queue of the read stage would stand in front of clients' reads.
        return Math.min(settings.concurrentReads, Math.max(1, DatabaseDescriptor.getConcurrentReaders() / 2));
    }

    /** Unless it is known to speak another version of the messages, in which reads are written otherwise. */
    private static boolean understands(InetAddressAndPort node) {
        EndpointMessagingVersions versions = MessagingService.instance().versions;
        return !versions.knows(node) || versions.getRaw(node) == MessagingService.current_version;
    }

    @Override
    public String name() {
        return "warming";
    }

    @Override
    public RuntimeSwitch enabled() {
        return enabled;
    }

    @Override
    public void start(WireHandlers handlers) {
        sender.install(handlers, enabled);
        // A read for another coordinator ends with its response, one for this coordinator with the timing of it.
        handlers.watch(
                List.of(Verb.READ_RSP), "A copy of a read waits for the next one", (message, to) -> copies.readEnds());
        handlers.watchLocalReads("A copy of a read waits for the next one", nanos -> copies.readEnds());
    }

    @Override
    public List<PeriodicTask> tasks() {
        return List.of(new PeriodicTask(
                ROUND_MILLIS, "This node does not ask for copies of reads; the next time is in a second", this::look));
    }

    private void look() {
        long now = System.nanoTime();
        sender.expire(now);
        Set<TableId> wanted = Set.of();
        if (enabled.isOn()) {
            wanted = coldTables(now);
        } else {
            // Once it is switched on again all begins anew.
            cold = null;
        }
        copies.ask(wanted);
        copies.settle(now);
        copies.serveWaiting();
        if (!wanted.isEmpty()) {
            tell(new Invitation(settledPace(), ids(wanted)), wanted, now);
        } else if (!asked.isEmpty()) {
            pace.reset();
            tell(new Invitation(1, Set.of()), wanted, now);
        }
        asked = wanted;
        log.looked(names(wanted), copies.served(), now);
    }

    private Set<TableId> coldTables(long nowNanos) {
        if (!StorageService.instance.isNormal()) {
            return Set.of(); // It has yet to join: no read is for it.
        }
        if (cold == null) {
            cold = new ColdTables<>(nowNanos, atMostNanos);
        }
        cold.endAfter(atMostNanos);
        return cold.isOver(nowNanos) ? Set.of() : cold.look(timesPeers.get(), nowNanos);
    }

    private double settledPace() {
        long arrived = copies.arrived();
        long dropped = copies.dropped();
        long refused = copies.refused();
        double fraction = asked.isEmpty()
                ? CopyPace.FIRST
                : pace.settle(arrived - arrivedBefore, dropped - droppedBefore, refused - refusedBefore);
        arrivedBefore = arrived;
        droppedBefore = dropped;
        refusedBefore = refused;
        return fraction;
    }

    private void tell(Invitation invitation, Set<TableId> tables, long nowNanos) {
        sender.invited(self, invitation.fraction(), tables, nowNanos);
        byte[] encoded = invitation.encode();
        String datacenter = snitch.getDatacenter(self);
        for (InetAddressAndPort node : Gossiper.instance.getLiveMembers()) {
            // A copy to another datacenter would cost its traffic. A node that takes pings alone has no warming either.
            if (!node.equals(self) && datacenter.equals(snitch.getDatacenter(node)) && !messages.arePings(node)) {
                messages.tell(node, CopySender.INVITATION, encoded);
            }
        }
    }

    private Set<UUID> ids(Set<TableId> tables) {
        Set<UUID> ids = new HashSet<>();
        tables.forEach(table -> ids.add(version.uuidOf(table)));
        return ids;
    }

    private static Set<String> names(Set<TableId> tables) {
        Set<String> names = new HashSet<>();
        for (TableId table : tables) {
            TableMetadata metadata = Schema.instance.getTableMetadata(table);
            names.add(metadata == null ? "a dropped table" : metadata.keyspace + '.' + metadata.name);
        }
        return names;
    }

    @Override
    public Optional<StatementInterceptor> interceptor() {
        return Optional.empty();
    }

    @Override
    public List<RuntimeSetting> settings() {
        List<RuntimeSetting> settings = new ArrayList<>(List.of(enabled.setting("warming.enabled")));
        ChangeableKeys<WarmingSettings> keys = config.changeable();
        settings.addAll(RuntimeSetting.keepable(
                keys.names(),
                keys::valueOf,
                (name, value) -> keys.change(name, value, this::use),
                keys::refuseUnlessRight));
        return settings;
    }

    private void use(WarmingSettings changed) {
        atMostNanos = changed.atMostNanos;
        copies.serveAtMost(most(changed));
    }

    @Override
    public List<VirtualTable> views(String keyspace) {
        return List.of();
    }

    @Override
    public Map<String, LongSupplier> counts() {
        Map<String, LongSupplier> counts = new LinkedHashMap<>();
        counts.put("WarmingCopiesSent", sender::sent);
        counts.put("WarmingCopiesServed", copies::served);
        counts.put("WarmingCopiesDropped", copies::dropped);
        counts.put("WarmingMessagesMalformed", sender::malformed);
        return counts;
    }
}
