// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import dev.isotherm.cassandra.feature.Feature;
import dev.isotherm.cassandra.runtime.Failures;
import dev.isotherm.cassandra.runtime.PeriodicTask;
import dev.isotherm.cassandra.runtime.RuntimeSetting;
import dev.isotherm.cassandra.runtime.RuntimeSwitch;
import dev.isotherm.cassandra.runtime.StatementInterceptor;
import dev.isotherm.cassandra.schema.LimitOption;
import dev.isotherm.cassandra.version.CassandraVersion;
import dev.isotherm.cassandra.wire.OwnMessages;
import dev.isotherm.cassandra.wire.WireHandlers;
import dev.isotherm.limit.AdmissionLedger;
import dev.isotherm.limit.HotPartitions;
import dev.isotherm.limit.PartitionLimiter;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.virtual.VirtualTable;
import org.apache.cassandra.dht.Token;
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
    private final LimitsInForce limits;
    private final PartitionLimiter limiter;
    private final LongSupplier clock;
    private final AdmissionLedger<LimitedTable, Token> ledger = new AdmissionLedger<>(LEDGER_PARTITIONS);
    private final HotPartitions<LimitedTable, ByteBuffer> hottest =
            new HotPartitions<>(HOTTEST_PARTITIONS, HOTTEST_SAMPLE_ONE_IN);
    private final LocalDecisions decisions;
    private final MalformedAdmissions malformed = new MalformedAdmissions();
    private final AdmissionSharing sharing;
    private final AdmissionQuestions questions;
    private final DelegatedAdmission delegated;
    private final Admission admission;
    private final FairReads fairReads;
    private final FairAdmission fair;
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
        ReplicaLookup replicas = new ReplicaLookup(self, snitch);
        OwnMessages messages = new OwnMessages(version);
        this.sharing = new AdmissionSharing(ledger, replicas, messages, malformed, failures);
        this.decisions = new LocalDecisions(enabled, limiter, ledger, clock, sharing::tellNow);
        this.questions = new AdmissionQuestions(
                limits, decisions, replicas, messages, malformed, DatabaseDescriptor.getNativeTransportMaxThreads());
        this.delegated = new DelegatedAdmission(limits, decisions, malformed);
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
        this.fairReads = new FairReads(config.fairShare(), enabled, limits, hashSeed);
        this.fair =
                new FairAdmission(fairReads, new ReadTimes(fairReads, self), replicas, version, malformed, failures);
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

    /** The table option that sets limits. */
    public LimitOption option() {
        return option;
    }

    /** Subscribes to schema changes, and starts to report and to decide. */
    @Override
    public void start(WireHandlers handlers) {
        limits.start();
        keys.install(handlers);
        fair.install(handlers);
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
                new PeriodicTask(
                        QUEUE_MILLIS,
                        "The queue of reads was not looked at; the next time is in " + QUEUE_MILLIS + " ms",
                        () -> fairReads.look(System.nanoTime())));
    }

    private void tidy() {
        hottest.tick(System.nanoTime());
        fair.sweep();
        fairReads.tick();
        if (++seconds % SECONDS_PER_SWEEP == 0) {
            limiter.sweep(clock.getAsLong());
            delegated.sweep();
            questions.sweep();
        }
    }

    @Override
    public Optional<StatementInterceptor> interceptor() {
        return Optional.of(new AdmissionInterceptor(fair, admission));
    }

    @Override
    public List<RuntimeSetting> settings() {
        return List.of(enabled.setting("limit.enabled"), fairReads.setting());
    }

    @Override
    public List<VirtualTable> views(String keyspace) {
        return List.of(
                new PartitionLimitsTable(keyspace, limits),
                new LimitedPartitionsTable(keyspace, keys, limits),
                new HottestPartitionsTable(keyspace, hottest, fairReads));
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
        counts.put("LimitReportsMalformed", malformed::count);
        counts.put("LimitQuestionsUnanswered", questions::unanswered);
        counts.put("LimitReplicasPassedOver", questions::passedOver);
        counts.put("LimitedPartitions", keys::holdingNow);
        counts.put("LimitedPartitionsMalformed", keys::malformed);
        counts.put("FairShareRefused", fairReads::refused);
        counts.put("FairShareWouldRefuse", fairReads::wouldRefuse);
        counts.put("FairShareCuts", fairReads::cuts);
        counts.put("FairShareSaturated", () -> Boolean.TRUE.equals(fairReads.isSaturated()) ? 1 : 0);
        return counts;
    }
}
