// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.guard;

import dev.isotherm.guard.GuardSettings;
import dev.isotherm.guard.ReadGuard;

/** A listener to which a guard tells its avoidances in vain. */
public final class Unheard<N> implements ReadGuard.Listener<N> {
    private static final long GIVE_UP_NANOS = 5_000_000_000L;

    /** A guard with the default settings that has such a listener, and to which all nodes are alive and near. */
    public static <N> ReadGuard<N> guardOf(N self, long nowNanos) {
        return new ReadGuard<>(
                GuardSettings.defaults(),
                self,
                () -> GIVE_UP_NANOS,
                () -> GIVE_UP_NANOS,
                node -> true,
                new Unheard<>(),
                nowNanos);
    }

    @Override
    public void began(N replica, String reason) {}

    @Override
    public void ended(N replica, long afterNanos) {}
}
