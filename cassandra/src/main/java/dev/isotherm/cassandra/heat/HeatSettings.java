// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import dev.isotherm.heat.BalanceSettings;

/** The operator's settings of heat that can change while the node runs. Immutable. */
final class HeatSettings {
    /** The placement of all tables, or that the nodes choose it. */
    final PlacementChoice placement;
    /** The plans' settings, with the placement of all tables, or the one at first where the nodes choose. */
    final BalanceSettings balance;
    /** The time constant of the moving average of this node's own heat. */
    final long smoothingNanos;
    /** The age at which another node's heat no longer counts. */
    final long staleAfterNanos;
    /** What the plans of all replica groups together may take on the heap. */
    final long planMemoryBytes;

    HeatSettings(
            PlacementChoice placement,
            BalanceSettings balance,
            long smoothingNanos,
            long staleAfterNanos,
            long planMemoryBytes) {
        this.placement = placement;
        this.balance = balance;
        this.smoothingNanos = smoothingNanos;
        this.staleAfterNanos = staleAfterNanos;
        this.planMemoryBytes = planMemoryBytes;
    }
}
