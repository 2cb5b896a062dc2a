// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import dev.isotherm.cassandra.Failures;
import dev.isotherm.cassandra.RuntimeSwitch;
import dev.isotherm.cassandra.config.IsothermConfig;
import dev.isotherm.cassandra.version.CassandraVersion;
import dev.isotherm.cassandra.wire.AdmissionQuestions;
import dev.isotherm.cassandra.wire.AdmissionSharing;
import dev.isotherm.cassandra.wire.TravellingAdmission;
import dev.isotherm.limit.AdmissionLedger;
import dev.isotherm.limit.HotPartitions;
import dev.isotherm.limit.PartitionLimiter;
import java.nio.ByteBuffer;
import java.util.function.LongSupplier;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.locator.IEndpointSnitch;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;

/** Per-partition limits on one node: what they are made of, and what has to be done now and then. */
public final class PartitionLimiting {
    private static final int LEDGER_PARTITIONS = 4096;
    private static final int HOTTEST_PARTITIONS = 1024;
    private static final int HOTTEST_SAMPLE_ONE_IN = 4;
    private static final int SECONDS_PER_SWEEP = 60;

    private final RuntimeSwitch enabled;
    private final LimitsInForce limits;
    private final PartitionLimiter limiter;
    private final LongSupplier clock;
    private final AdmissionLedger<LimitedTable, Token> ledger = new AdmissionLedger<>(LEDGER_PARTITIONS);
    private final HotPartitions<LimitedTable, ByteBuffer> hottest =
            new HotPartitions<>(HOTTEST_PARTITIONS, HOTTEST_SAMPLE_ONE_IN);
    private final LocalDecisions decisions;
    private final AdmissionSharing sharing;
    private final AdmissionQuestions questions;
    private final TravellingAdmission travelling;
    private final Admission admission;
    private int seconds;

    /** @param hashSeed any number that clients cannot guess */
    public PartitionLimiting(
            IsothermConfig config,
            CassandraVersion version,
            IEndpointSnitch snitch,
            InetAddressAndPort self,
            long hashSeed,
            Failures failures) {
        this.enabled = new RuntimeSwitch(config.limitEnabled());
        this.limits = new LimitsInForce(failures);
        this.limiter = config.limitCounter().limiter(config.limitMemoryBytes(), hashSeed);
        this.clock = config.limitCounter().clock();
        ReplicasOf replicas = new ReplicasOf(self, snitch);
        this.sharing = new AdmissionSharing(ledger, replicas, failures);
        this.decisions = new LocalDecisions(enabled, limiter, ledger, clock, sharing::tellNow);
        this.questions = new AdmissionQuestions(limits, decisions, replicas, failures);
        this.travelling = new TravellingAdmission(limits, decisions, failures);
        this.admission = new Admission(
                enabled,
                limits,
                new StatementPartitions(version, limits),
                decisions,
                replicas,
                questions,
                travelling,
                hottest,
                failures);
    }

    /** Follows the schema and begins to share and to decide. */
    public void start(CassandraVersion version) {
        limits.start();
        version.onOutbound(travelling::onOutbound);
        version.onInbound(this::onInbound);
        sharing.start();
    }

    private boolean onInbound(Message<?> message) {
        return travelling.onInbound(message) && questions.onInbound(message) && sharing.onInbound(message, decisions);
    }

    /** To be called once a second. */
    public void tick() {
        hottest.tick(System.nanoTime());
        if (++seconds % SECONDS_PER_SWEEP == 0) {
            limiter.sweep(clock.getAsLong());
            travelling.sweep();
        }
    }

    /** Decides about statements. */
    public Admission admission() {
        return admission;
    }

    public RuntimeSwitch enabled() {
        return enabled;
    }

    public LimitsInForce limits() {
        return limits;
    }

    public HotPartitions<LimitedTable, ByteBuffer> hottest() {
        return hottest;
    }

    /** Operations admitted without being counted because the memory was full. */
    public long uncounted() {
        return limiter.uncounted();
    }

    /** Partitions that were forgotten before their debt was paid off, for another with more. */
    public long evicted() {
        return limiter.evicted();
    }

    /** Admissions that no other replica will hear of, because too many were untold. */
    public long untold() {
        return ledger.dropped();
    }

    public AdmissionSharing sharing() {
        return sharing;
    }

    public AdmissionQuestions questions() {
        return questions;
    }
}
