// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import dev.isotherm.cassandra.runtime.StatementInterceptor;
import dev.isotherm.cassandra.runtime.StatementScope;
import org.apache.cassandra.cql3.statements.SelectStatement;

/**
 * Calls {@link FairAdmission}, {@link FairWrites} and {@link Admission} before each statement, and ends the requests
 * about which replicas decide. The shares come first: what they refuse uses up no limit.
 */
final class AdmissionInterceptor implements StatementInterceptor {
    private final FairAdmission fair;
    private final FairWrites fairWrites;
    private final Admission admission;

    AdmissionInterceptor(FairAdmission fair, FairWrites fairWrites, Admission admission) {
        this.fair = fair;
        this.fairWrites = fairWrites;
        this.admission = admission;
    }

    @Override
    public void before(StatementScope scope) {
        fair.admit(scope);
        fairWrites.admit(scope);
        delegate(scope, admission.admit(scope));
    }

    /** Hints wait for what the replicas decide. A read has none, and goes on with the time that the shares gave it. */
    static void delegate(StatementScope scope, DelegatedRequest request) {
        if (request != null && !(scope.statement() instanceof SelectStatement)) {
            scope.executeWith(request.requestTime());
        }
    }

    @Override
    public void succeeded(StatementScope scope) {
        DelegatedRequest request = DelegatedRequest.of(scope);
        // As below: what is owed to replicas is theirs, whatever the shares do.
        try {
            if (request != null) {
                admission.succeeded(request);
            }
        } finally {
            fair.succeeded();
        }
    }

    @Override
    public RuntimeException failed(StatementScope scope, Throwable failure) {
        DelegatedRequest request = DelegatedRequest.of(scope);
        RateLimitRejection rejection = null;
        FairShareRejection refused = null;
        // The request's end comes first: what throws in one must not keep the other from its end.
        try {
            rejection = request == null ? null : admission.failed(request, failure);
        } finally {
            refused = refused(scope, failure);
        }
        return rejection == null ? refused : rejection;
    }

    private FairShareRejection refused(StatementScope scope, Throwable failure) {
        FairShareRejection refused = fair.failed(scope, failure);
        return refused == null ? fairWrites.failed(scope, failure) : refused;
    }
}
