// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.isotherm.cassandra.runtime.Failures;
import dev.isotherm.cassandra.runtime.StatementScope;
import java.util.List;
import java.util.Map;
import org.apache.cassandra.db.ConsistencyLevel;
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
}
