// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.guard;

import dev.isotherm.cassandra.config.ChangeableKeys;
import dev.isotherm.cassandra.feature.Feature;
import dev.isotherm.cassandra.runtime.CutReads;
import dev.isotherm.cassandra.runtime.Failures;
import dev.isotherm.cassandra.runtime.PeriodicTask;
import dev.isotherm.cassandra.runtime.PresentTables;
import dev.isotherm.cassandra.runtime.RuntimeSetting;
import dev.isotherm.cassandra.runtime.RuntimeSwitch;
import dev.isotherm.cassandra.runtime.StatementInterceptor;
import dev.isotherm.cassandra.version.CassandraVersion;
import dev.isotherm.cassandra.wire.Wire;
import dev.isotherm.cassandra.wire.WireHandlers;
import dev.isotherm.guard.Avoided;
import dev.isotherm.guard.GuardSettings;
import dev.isotherm.guard.ReadGuard;
import dev.isotherm.guard.ReplicaRanks;
import dev.isotherm.guard.ReplicaStatus;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.virtual.VirtualTable;
import org.apache.cassandra.gms.FailureDetector;
import org.apache.cassandra.gms.Gossiper;
import org.apache.cassandra.locator.IEndpointSnitch;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.Verb;

/** The guard of reads on one node: counts this coordinator's reads, and avoids replicas that leave them unanswered. */
public final class GuardFeature implements Feature {
    private static final long LOG_MILLIS = 100;
    private static final long LOOK_MILLIS = TimeUnit.NANOSECONDS.toMillis(ReadGuard.LOOK_NANOS);
    /** This node's read threads are observed with every fifth look: their counts are sums over all tables. */
    private static final int LOOKS_PER_OBSERVATION = 5;

    private final GuardConfig config;
    private final Supplier<CutReads> cutReads;
    private final RuntimeSwitch enabled;
    private final AvoidanceLog log;
    private final ReadGuard<InetAddressAndPort> guard;
    private final GuardedReads reads;
    private final TrialReads trials;
    private final ReadThreads threads;
    private final StarvedMarks marks;
    private final OutOfReads outOfReads;
    private int looks;

    /**
     * @param snitch the operator's
     * @param cutReads tells the reads that take long wherever; asked once Cassandra serves requests
     */
    public GuardFeature(
            GuardConfig config,
            CassandraVersion version,
            IEndpointSnitch snitch,
            InetAddressAndPort self,
            Supplier<CutReads> cutReads,
            Failures failures) {
        this.config = config;
        this.cutReads = cutReads;
        this.enabled = new RuntimeSwitch(config.enabled());
        this.log = new AvoidanceLog(enabled);
        // An operator may change both while the node runs.
        LongSupplier giveUpNanos = () -> DatabaseDescriptor.getReadRpcTimeout(TimeUnit.NANOSECONDS);
        LongSupplier giveUpLastingNanos =
                () -> Math.max(giveUpNanos.getAsLong(), DatabaseDescriptor.getRangeRpcTimeout(TimeUnit.NANOSECONDS));
        // Of a node that gossip does not know the failure detector logs an error.
        Predicate<InetAddressAndPort> alive = node -> node.equals(self)
                || Gossiper.instance.getEndpointStateForEndpoint(node) != null
                        && FailureDetector.instance.isAlive(node);
        Predicate<InetAddressAndPort> near = node -> snitch.getLocalDatacenter().equals(snitch.getDatacenter(node));
        this.guard = new ReadGuard<>(
                config.settings(),
                self,
                giveUpNanos,
                giveUpLastingNanos,
                node -> alive.test(node) && near.test(node),
                log,
                System.nanoTime());
        this.reads = new GuardedReads(enabled, guard, alive, near);
        this.trials = new TrialReads(guard, self, alive, failures);
        this.threads = new ReadThreads(guard, self, () -> PresentTables.all().size(), cutReads);
        this.marks = new StarvedMarks(enabled, guard, System::nanoTime);
        this.outOfReads = new OutOfReads(guard, self, version, marks::forget, failures);
    }

    @Override
    public String name() {
        return "guard";
    }

    @Override
    public RuntimeSwitch enabled() {
        return enabled;
    }

    /** Guards the order of the replicas of reads. */
    public GuardedReads reads() {
        return reads;
    }

    /** Whether reads of this coordinator avoid the replica now. */
    public boolean isAvoided(InetAddressAndPort replica) {
        Avoided<InetAddressAndPort> avoided = guard.avoided();
        return !avoided.isEmpty() && enabled.isOn() && avoided.rankOf(replica, false) != ReplicaRanks.USED;
    }

    /** What this coordinator sees of the replica's reads, or null if it has not read from it. */
    public ReplicaStatus statusOf(InetAddressAndPort replica) {
        ReplicaStatus status = guard.statusOf(replica, System.nanoTime());
        return status == null || enabled.isOn() ? status : status.switchedOff();
    }

    @Override
    public void start(WireHandlers handlers) {
        outOfReads.install(handlers);
        handlers.watch(
                List.of(Verb.READ_REQ),
                "A read was sent uncounted, or no copy of it tries an avoided replica",
                this::sent);
        handlers.watch(
                List.of(Verb.RANGE_REQ),
                "A read of a range was sent uncounted",
                (read, to) -> guard.sentLasting(to, read.id(), System.nanoTime()));
        // Before the answers are counted: a look in between would take the node for one that says nothing.
        marks.install(handlers);
        for (Verb answer : List.of(Verb.READ_RSP, Verb.RANGE_RSP, Verb.FAILURE_RSP, Wire.ANSWER_BEFORE_40)) {
            handlers.receiveAll(answer, "An answer to a read was not counted", (response, none) -> {
                guard.answered(response.from(), response.id(), System.nanoTime());
                return true;
            });
        }
    }

    @Override
    public List<PeriodicTask> tasks() {
        // A wait for other tasks, such as a scan of all tables, would be taken for a pause of the process.
        return List.of(
                PeriodicTask.onItsOwnThread(
                                "Isotherm-guard",
                                LOOK_MILLIS,
                                "The reads of this coordinator were not looked at; the next time is in " + LOOK_MILLIS
                                        + " ms",
                                this::look)
                        .notWhileIdle(),
                // The disk of the log may be the one that hangs: neither the guard nor what other features do waits for
                // it.
                PeriodicTask.onItsOwnThread(
                                "Isotherm-log", LOG_MILLIS, "It is not logged which replicas reads avoid", log::write)
                        .whileNeeded(log::isWaiting));
    }

    /** Reads may have been answered unseen: what was seen before says nothing. */
    @Override
    public void resume() {
        guard.forgetAll();
    }

    private void sent(Message<?> read, InetAddressAndPort to) {
        if (cutReads.get().has(read)) {
            guard.sentLasting(to, read.id(), System.nanoTime());
            return;
        }
        guard.sent(to, read.id(), System.nanoTime());
        if (enabled.isOn()) {
            trials.offer(read, to);
        }
    }

    private void look() {
        // Before the guard looks: a trial whose copy it does not see under way would be granted again.
        trials.send();
        long now = System.nanoTime();
        if (looks++ % LOOKS_PER_OBSERVATION == 0) {
            threads.observe(now);
        }
        guard.look(now);
        guard.looked(System.nanoTime());
    }

    @Override
    public Optional<StatementInterceptor> interceptor() {
        return Optional.empty();
    }

    @Override
    public List<RuntimeSetting> settings() {
        List<RuntimeSetting> settings =
                new ArrayList<>(List.of(enabled.setting("guard.enabled"), outOfReads.setting()));
        ChangeableKeys<GuardSettings> keys = config.changeable();
        settings.addAll(RuntimeSetting.keepable(
                keys.names(),
                keys::valueOf,
                (name, value) -> keys.change(name, value, guard::use),
                keys::refuseUnlessRight));
        return settings;
    }

    @Override
    public List<VirtualTable> views(String keyspace) {
        return List.of(new ReplicasTable(keyspace, guard::replicas, this::statusOf));
    }

    @Override
    public Map<String, LongSupplier> counts() {
        Map<String, LongSupplier> counts = new LinkedHashMap<>();
        counts.put("GuardAvoidances", log::avoidances);
        counts.put("GuardMovedReads", reads::moved);
        counts.put("GuardTrials", trials::sent);
        counts.put("GuardRequestsMalformed", outOfReads::malformed);
        counts.put("GuardMarksMalformed", marks::malformed);
        return counts;
    }
}
