// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import dev.isotherm.cassandra.runtime.RuntimeSwitch;
import dev.isotherm.heat.BalanceSettings;
import dev.isotherm.heat.Placement;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.cassandra.schema.TableId;

/**
 * What can change while the node runs and each read looks at: the feature's switch and the settings of its plans, with
 * the placement of all tables or as the nodes choose it for each. Thread safe.
 */
final class HeatSwitches {
    private final RuntimeSwitch enabled;
    private final Map<TableId, TableBalance> tables = new ConcurrentHashMap<>();
    private volatile Present present;

    /** The settings with each placement: one object for each, so that equal settings are the same. Immutable. */
    private static final class Present {
        final PlacementChoice choice;
        /** The settings with the placement of tables of which nothing was chosen yet. */
        final BalanceSettings first;
        /** The settings with the other placement. */
        final BalanceSettings other;

        Present(PlacementChoice choice, BalanceSettings first) {
            this.choice = choice;
            this.first = first;
            this.other =
                    first.withPlacement(first.placement() == Placement.LOCAL ? Placement.AFFINITY : Placement.LOCAL);
        }

        BalanceSettings with(Placement placement) {
            return first.placement() == placement ? first : other;
        }
    }

    /** @param balance with the placement of all tables, or the one at first where the nodes choose */
    HeatSwitches(boolean enabled, BalanceSettings balance, PlacementChoice choice) {
        this.enabled = new RuntimeSwitch(enabled);
        this.present = new Present(choice, balance);
    }

    RuntimeSwitch enabled() {
        return enabled;
    }

    /** The present settings, with the placement of tables of which nothing was chosen yet. */
    BalanceSettings balance() {
        return present.first;
    }

    PlacementChoice choice() {
        return present.choice;
    }

    /** The balance of a table, which follows all changes; a plan made by other settings than its are is made anew. */
    TableBalance balanceOf(TableId table) {
        TableBalance balance = tables.get(table);
        return balance != null ? balance : added(table);
    }

    /** Under the lock of changes: one between the look at the settings and the entry would pass the table by. */
    private synchronized TableBalance added(TableId table) {
        return tables.computeIfAbsent(table, t -> new TableBalance(present.first, System.currentTimeMillis()));
    }

    /** The tables that have a balance of their own: a live view. */
    Set<TableId> tables() {
        return tables.keySet();
    }

    void forgetTable(TableId table) {
        tables.remove(table);
    }

    /**
     * Follows other settings. Where the nodes choose from now on, each table keeps its placement until they have chosen
     * another, and so do tables that were never seen before.
     *
     * @param changed with the placement of all tables; any where the nodes choose
     */
    synchronized void use(BalanceSettings changed, PlacementChoice choice) {
        Placement first = choice.placement() != null ? choice.placement() : present.first.placement();
        Present next = new Present(choice, changed.withPlacement(first));
        present = next;
        long nowMillis = System.currentTimeMillis();
        for (TableBalance table : tables.values()) {
            Placement placement =
                    choice.placement() != null ? first : table.settings().placement();
            table.set(next.with(placement), nowMillis);
        }
    }

    /**
     * The nodes have chosen the placement of a table.
     *
     * @return whether it is in force; not where they do not choose any more
     */
    synchronized boolean choose(TableId table, Placement placement) {
        if (present.choice != PlacementChoice.AUTO) {
            return false;
        }
        balanceOf(table).set(present.with(placement), System.currentTimeMillis());
        return true;
    }
}
