// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.queue;

import dev.isotherm.cassandra.runtime.RuntimeSwitch;
import dev.isotherm.cassandra.runtime.StatementInterceptor;
import dev.isotherm.cassandra.runtime.StatementScope;

/** Marks the statements that update counters. */
final class CounterUpdateInterceptor implements StatementInterceptor {
    private final RuntimeSwitch enabled;

    CounterUpdateInterceptor(RuntimeSwitch enabled) {
        this.enabled = enabled;
    }

    @Override
    public void before(StatementScope scope) {
        if (enabled.isOn()) {
            CounterUpdate.of(scope).begin(scope.statement());
        }
    }
}
