// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.guard;

import dev.isotherm.guard.ReadGuard;

/** A listener to which a guard tells its avoidances in vain. */
public final class Unheard<N> implements ReadGuard.Listener<N> {
    @Override
    public void began(N replica, String reason) {}

    @Override
    public void ended(N replica, long afterNanos) {}
}
