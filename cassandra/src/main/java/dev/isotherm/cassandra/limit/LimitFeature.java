// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import dev.isotherm.cassandra.feature.Feature;
import dev.isotherm.cassandra.runtime.CutReads;
import dev.isotherm.cassandra.runtime.Failures;
import dev.isotherm.cassandra.runtime.PeriodicTask;
import dev.isotherm.cassandra.runtime.RuntimeSetting;
import dev.isotherm.cassandra.runtime.RuntimeSwitch;
import dev.isotherm.cassandra.runtime.StatementInterceptor;
import dev.isotherm.cassandra.runtime.UnreadableValues;
import dev.isotherm.cassandra.schema.LimitOption;
import dev.isotherm.cassandra.version.CassandraVersion;
import dev.isotherm.cassandra.wire.OwnMessages;
import dev.isotherm.cassandra.wire.WireHandlers;
import dev.isotherm.common.RunningClock;
import dev.isotherm.limit.AdmissionLedger;
import dev.isotherm.limit.HotPartitions;
import dev.isotherm.limit.PartitionLimiter;
import dev.isotherm.share.FairShare;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.apache.cassandra.concurrent.Stage;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.virtual.VirtualTable;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.gms.Gossiper;
import org.apache.cassandra.locator.IEndpointSnitch;
import org.apache.cassandra.locator.InetAddressAndPort;

/** Per-partition limits on one node: the limiter, the decisions, and the reports between replicas. */
public final class LimitFeature implements Feature {
    private static final int LEDGER_PARTITIONS = 4096;
    private static final int HOTTEST_PARTITIONS = 1024;
    private static final int HOTTEST_SAMPLE_ONE_IN = 4;
    private static final long SECOND_MILLIS = 1000;
    private static final long QUEUE_MILLIS = 10;
    private static final int SECONDS_PER_SWEEP = 60;

    private final RuntimeSwitch enabled;
    private final CassandraVersion version;
    private final LimitsInForce limits;
    private final PartitionLimiter limiter;
    private final LongSupplier clock;
    private final AdmissionLedger<LimitedTable, Token> ledger;
    private final HotPartitions<LimitedTable, NamedPartition> hottest;
    private final LocalDecisions decisions;
    private final UnreadableValues unreadable = new UnreadableValues();
    private final AdmissionSharing sharing;
    private final AdmissionQuestions questions;
    private final DelegatedAdmission delegated;
    private final Admission admission;
    private final FairShareSwitch fairShares;
    private final FairPool readPool;
    private final FairPool writePool;
    private final FairPool counterPool;
    private final ShareRefusals refusals = new ShareRefusals();
    private final UnmarkedReads unmarked =
            new UnmarkedReads(node -> Gossiper.instance.getEndpointStateForEndpoint(node) != null, System::nanoTime);
    private final FairAdmission fairReads;
    private final SpreadReads spreadReads;
    private final CutReads cutReads;
    private final FairWrites fairWrites;
    private final LimitedKeys keys;
    private final LimitOption option;
    private int seconds;

    /**
     * @param snitch the operator's own snitch
     * @param hashSeed any number that clients cannot guess
     */
    public LimitFeature(
            LimitConfig config,
            CassandraVersion version,
            IEndpointSnitch snitch,
            InetAddressAndPort self,
            long hashSeed,
            Failures failures) {
        this.enabled = new RuntimeSwitch(config.enabled());
        this.limits = new LimitsInForce(failures);
        this.limiter = config.counter().limiter(config.memoryBytes(), hashSeed);
        this.clock = config.counter().clock();
        this.ledger = new AdmissionLedger<>(LEDGER_PARTITIONS, hashSeed);
        this.hottest = new HotPartitions<>(HOTTEST_PARTITIONS, HOTTEST_SAMPLE_ONE_IN, hashSeed);
        ReplicaLookup replicas = new ReplicaLookup(self, snitch);
        this.version = version;
        OwnMessages messages = new OwnMessages(version, failures);
        this.sharing = new AdmissionSharing(
                () -> enabled.isOn() && !limits.isEmpty(), ledger, replicas, messages, unreadable, failures);
        this.decisions = new LocalDecisions(enabled, limiter, ledger, clock, sharing::tellNow);
        this.questions = new AdmissionQuestions(
                limits, decisions, replicas, messages, unreadable, DatabaseDescriptor.getNativeTransportMaxThreads());
        this.delegated = new DelegatedAdmission(limits, decisions, unreadable);
        this.admission = new Admission(
                enabled,
                limits,
                new StatementPartitions(version, limits),
                decisions,
                replicas,
                questions,
                delegated,
                hottest,
                failures);
        this.fairShares = new FairShareSwitch(config.fairShare(), enabled);
        RunningClock running = new RunningClock(FairShare.LATE_NANOS, FairShare.LATE_NANOS, System.nanoTime());
        this.readPool = new FairPool(Stage.READ, "reads", fairShares, limits, hashSeed, running);
        this.writePool = new FairPool(Stage.MUTATION, "writes", fairShares, limits, hashSeed, running);
        this.counterPool =
                new FairPool(Stage.COUNTER_MUTATION, "counter updates", fairShares, limits, hashSeed, running);
        this.fairReads = new FairAdmission(
                readPool,
                new ReadTimes(readPool, failures),
                replicas,
                refusals,
                unmarked,
                message -> UnmarkedReads.madeAt(message.createdAtNanos(), System.nanoTime()),
                version,
                unreadable,
                failures);
        this.spreadReads = fairReads.spreadReads(snitch);
        this.cutReads = fairReads.cutReads();
        this.fairWrites = new FairWrites(
                writePool,
                counterPool,
                new WriteTimes(version, failures),
                replicas,
                refusals,
                version,
                unreadable,
                failures);
        this.keys = new LimitedKeys(limits, self, messages, version, failures);
        this.option = new LimitOption(version, failures);
    }

    @Override
    public String name() {
        return "limit";
    }

    @Override
    public RuntimeSwitch enabled() {
        return enabled;
    }

    /** The order in which reads contact the replicas of a large partition. */
    public SpreadReads spreadReads() {
        return spreadReads;
    }

    /** The reads of partitions that are cut. */
    public CutReads cutReads() {
        return cutReads;
    }

    /** The table option that sets limits. */
    public LimitOption option() {
        return option;
    }

    /** Subscribes to schema changes, and starts to report and to decide. */
    @Override
    public void start(WireHandlers handlers) {
        limits.start();
        keys.install(handlers);
        refusals.install(handlers, unreadable);
        fairReads.install(handlers);
        fairWrites.install(handlers);
        delegated.install(handlers);
        questions.install(handlers);
        sharing.install(handlers, decisions);
        sharing.start();
    }

    @Override
    public List<PeriodicTask> tasks() {
        return List.of(
                new PeriodicTask(
                        SECOND_MILLIS,
                        "The memory of partitions was not tidied up; the next time is in a second",
                        this::tidy),
                new PeriodicTask(
                        SECOND_MILLIS,
                        "The limits of single partitions were not looked at; the next time is in a second",
                        keys::look),
                look(readPool, "reads"),
                look(counterPool, "counter updates"),
                look(writePool, "writes"));
    }

    /** A task for each: what throws in one keeps no other from letting go of what it cuts. */
    private static PeriodicTask look(FairPool pool, String operations) {
        return new PeriodicTask(
                        QUEUE_MILLIS,
                        "The queue of " + operations + " was not looked at; the next time is in " + QUEUE_MILLIS
                                + " ms",
                        () -> pool.look(System.nanoTime()))
                .notWhileIdle()
                .whileNeeded(pool::isToBeLookedAt);
    }

    private void tidy() {
        long now = System.nanoTime();
        hottest.tick(now);
        refusals.sweep(now);
        unmarked.sweep(now);
        delegated.sweep(now);
        readPool.tick();
        writePool.tick();
        counterPool.tick();
        if (++seconds % SECONDS_PER_SWEEP == 0) {
            limiter.sweep(clock.getAsLong());
            questions.sweep();
        }
    }

    @Override
    public Optional<StatementInterceptor> interceptor() {
        return Optional.of(new AdmissionInterceptor(fairReads, fairWrites, admission));
    }

    @Override
    public List<RuntimeSetting> settings() {
        return List.of(enabled.setting("limit.enabled"), fairShares.setting());
    }

    @Override
    public List<VirtualTable> views(String keyspace) {
        return List.of(
                new PartitionLimitsTable(keyspace, limits),
                new LimitedPartitionsTable(keyspace, version, keys, limits),
                new HottestPartitionsTable(keyspace, version, hottest, readPool, writePool, counterPool));
    }

    @Override
    public Map<String, LongSupplier> counts() {
        Map<String, LongSupplier> counts = new LinkedHashMap<>();
        counts.put("LimitAdmitted", () -> limits.sum(c -> c.admittedReads) + limits.sum(c -> c.admittedWrites));
        counts.put("LimitRejected", () -> limits.sum(c -> c.rejectedReads) + limits.sum(c -> c.rejectedWrites));
        counts.put("LimitRejectedByKey", () -> limits.sum(c -> c.rejectedByKey));
        counts.put(
                "LimitWouldReject", () -> limits.sum(c -> c.wouldRejectReads) + limits.sum(c -> c.wouldRejectWrites));
        counts.put("LimitPartlyApplied", () -> limits.sum(c -> c.partlyApplied));
        counts.put("LimitUncounted", limiter::uncounted);
        counts.put("LimitEvicted", limiter::evicted);
        counts.put("LimitUntold", ledger::dropped);
        counts.put("LimitReportsSent", sharing::told);
        counts.put("LimitReportsMalformed", unreadable::count);
        counts.put("LimitQuestionsUnanswered", questions::unanswered);
        counts.put("LimitReplicasPassedOver", questions::passedOver);
        counts.put("LimitedPartitions", keys::holdingNow);
        counts.put("LimitedPartitionsMalformed", keys::malformed);
        counts.put("FairShareRefused", readPool::refused);
        counts.put("FairShareWouldRefuse", readPool::wouldRefuse);
        counts.put("FairShareCuts", readPool::cuts);
        counts.put("FairShareRefusedWrites", () -> writePool.refused() + counterPool.refused());
        counts.put("FairShareWouldRefuseWrites", () -> writePool.wouldRefuse() + counterPool.wouldRefuse());
        counts.put("FairShareCutsOfWrites", () -> writePool.cuts() + counterPool.cuts());
        counts.put("FairShareSaturated", () -> isSaturated(readPool) ? 1 : 0);
        counts.put("FairShareSaturatedWrites", () -> isSaturated(writePool) || isSaturated(counterPool) ? 1 : 0);
        return counts;
    }

    private static boolean isSaturated(FairPool pool) {
        return Boolean.TRUE.equals(pool.isSaturated());
    }
}
