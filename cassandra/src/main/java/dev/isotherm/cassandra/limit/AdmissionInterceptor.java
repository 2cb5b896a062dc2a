// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import dev.isotherm.cassandra.runtime.StatementInterceptor;
import dev.isotherm.cassandra.runtime.StatementScope;

/** Calls {@link Admission} before each statement, and ends the requests about which replicas decide. */
final class AdmissionInterceptor implements StatementInterceptor {
    private final Admission admission;

    AdmissionInterceptor(Admission admission) {
        this.admission = admission;
    }

    @Override
    public void before(StatementScope scope) {
        DelegatedRequest request = admission.admit(scope);
        if (request != null) {
            scope.executeWith(request.requestTime());
        }
    }

    @Override
    public void succeeded(StatementScope scope) {
        DelegatedRequest request = DelegatedRequest.current();
        if (request != null) {
            admission.succeeded(request);
        }
    }

    @Override
    public RuntimeException failed(StatementScope scope, Throwable failure) {
        DelegatedRequest request = DelegatedRequest.current();
        return request == null ? null : admission.failed(request, failure);
    }
}
