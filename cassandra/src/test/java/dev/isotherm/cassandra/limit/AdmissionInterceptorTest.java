// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import static dev.isotherm.cassandra.Addresses.node;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.isotherm.cassandra.runtime.Failures;
import dev.isotherm.cassandra.runtime.RuntimeSwitch;
import dev.isotherm.cassandra.runtime.StatementScope;
import dev.isotherm.limit.AdmissionLedger;
import dev.isotherm.limit.BucketLimiter;
import dev.isotherm.limit.HotPartitions;
import dev.isotherm.limit.Operation;
import java.util.List;
import java.util.Map;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.exceptions.ReadFailureException;
import org.apache.cassandra.transport.Dispatcher;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AdmissionInterceptorTest {
    private final DelegatedAdmission delegated = new DelegatedAdmission(null, null, null);
    private final Admission admission =
            new Admission(null, null, null, null, null, null, delegated, null, new Failures());
    /** Shares without anything that they ask: what fails with a refusal's exception makes them throw. */
    private final FairAdmission broken =
            new FairAdmission(null, null, null, null, null, null, null, null, new Failures());

    @AfterEach
    void leaveTheThread() {
        DelegatedRequest.leave();
    }

    @Test
    void aRequestOfLimitsEndsAlthoughTheSharesThrow() {
        DelegatedRequest request = delegated.begin(
                List.of(), List.of(), Decided.NOTHING, 0, 1, Dispatcher.RequestTime.forImmediateExecution());
        assertSame(request, DelegatedRequest.current());
        AdmissionInterceptor interceptor = new AdmissionInterceptor(broken, null, admission);
        ReadFailureException failure = new ReadFailureException(ConsistencyLevel.ONE, 0, 1, false, Map.of());
        StatementScope scope = StatementScope.current();
        assertThrows(NullPointerException.class, () -> interceptor.failed(scope, failure));
        assertNull(DelegatedRequest.current());
    }

    /** The end of a request hands on the hints that it owes. */
    @Test
    void aRequestOfLimitsThatSucceededEndsToo() {
        DelegatedRequest request = delegated.begin(
                List.of(), List.of(), Decided.NOTHING, 0, 1, Dispatcher.RequestTime.forImmediateExecution());
        AdmissionInterceptor interceptor = new AdmissionInterceptor(broken, null, admission);
        assertSame(request, DelegatedRequest.current());
        assertThrows(NullPointerException.class, () -> interceptor.succeeded(StatementScope.current()));
        assertNull(DelegatedRequest.current());
    }

    /** As where this node decides, which counts before the statement is executed. */
    @Test
    void aRequestThatReplicasAdmittedCountsThoughItFailsThen() {
        AdmissionLedger<LimitedTable, Token> ledger = new AdmissionLedger<>(64, 7);
        LocalDecisions decisions = new LocalDecisions(
                new RuntimeSwitch(true),
                new BucketLimiter(1 << 16, BucketLimiter.DEFAULT_BURST_SECONDS, 42),
                ledger,
                System::nanoTime,
                () -> {});
        DelegatedAdmission asked = new DelegatedAdmission(null, decisions, null);
        Admission counting = new Admission(
                null,
                null,
                null,
                decisions,
                new ReplicaLookup(node(1), null),
                null,
                asked,
                new HotPartitions<>(8, 1, 7),
                new Failures());
        LimitedTable table = LimitedTables.table("counted", 10, 10, false);
        List<TouchedPartition> touched = List.of(LimitedTables.partition(table, Operation.READ, 1));
        DelegatedRequest request =
                asked.begin(touched, touched, Decided.NOTHING, 0, 1, Dispatcher.RequestTime.forImmediateExecution());
        assertNull(counting.failed(request, new ReadFailureException(ConsistencyLevel.ONE, 0, 1, false, Map.of())));
        assertEquals(1, table.counts.admittedReads.sum());
    }
}
