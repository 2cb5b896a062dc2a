// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import dev.isotherm.cassandra.config.IsothermConfig;
import dev.isotherm.heat.Heat;
import dev.isotherm.heat.HeatBoard;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.locator.IEndpointSnitch;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.schema.TableId;

/** Heat-weighted reads of one node: the beliefs, the meter, the plans and the ordering, put together. */
public final class HeatBalancing {
    private final HeatSwitches switches;
    private final HeatBoard<TableId, InetAddressAndPort> board;
    private final HeatMeter meter;
    private final GroupPlans plans;
    private final ReplicaOrdering ordering;

    public HeatBalancing(
            IsothermConfig config,
            IEndpointSnitch snitch,
            InetAddressAndPort self,
            DeadNodes dead,
            LongSupplier nanoClock) {
        this.switches = new HeatSwitches(config.heatEnabled(), config.balance());
        this.board = new HeatBoard<>(config.staleAfterNanos(), config.balance());
        this.meter = new HeatMeter(config.heatSource(), switches, config.smoothingNanos(), board, self);
        this.plans = new GroupPlans(new GroupPlanner(board, new SchemaContacts(), snitch, self, nanoClock), switches);
        this.ordering = new ReplicaOrdering(
                snitch, dead, plans, () -> ThreadLocalRandom.current().nextDouble());
    }

    public HeatSwitches switches() {
        return switches;
    }

    public HeatBoard<TableId, InetAddressAndPort> board() {
        return board;
    }

    public ReplicaOrdering ordering() {
        return ordering;
    }

    public ShareLedger ledgerOf(TableId table) {
        return plans.ledgerOf(table);
    }

    /** Plans built since the node started. */
    public long plansBuilt() {
        return plans.built();
    }

    /** Reads this node's own heat off its metrics; returns it for each table with traffic. */
    public Map<TableId, Heat> sample(Iterable<ColumnFamilyStore> tables, long nowNanos) {
        return meter.sample(tables, nowNanos);
    }

    /** Brings the shares that operators see up to date and forgets dropped tables; called once a second. */
    public void settle(Predicate<TableId> exists) {
        plans.settle();
        for (TableId table : board.tables()) {
            if (!exists.test(table)) {
                board.forgetTable(table);
                plans.forgetTable(table);
            }
        }
    }
}
