// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import dev.isotherm.cassandra.runtime.Failures;
import dev.isotherm.heat.PlanStore;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.schema.TableId;

/** The plans in use. A plan is replaced after a change of a heat, a setting or the membership of its group. */
final class GroupPlans {
    /**
     * Bounds the time until changes that no heat reports take effect: of a datacenter, of replication, of a silent
     * node.
     */
    private static final int LOOK_EVERY_SECONDS = 5;

    private static final ShareLedger EMPTY = new ShareLedger();

    private final Map<TableId, ShareLedger> ledgers = new ConcurrentHashMap<>();
    private final GroupPlanner planner;
    private final HeatSwitches switches;
    private final PlanStore<GroupKey, GroupPlan> plans;
    private final LongAdder reads = new LongAdder();
    private final LongAdder built = new LongAdder();
    private final Failures failures;
    /** Which part of the plans is looked at next: their inputs take some microseconds each to find. */
    private int part;

    /** @param mostBytes what all plans together may take on the heap */
    GroupPlans(GroupPlanner planner, HeatSwitches switches, long mostBytes, Failures failures) {
        this.failures = failures;
        this.planner = planner;
        this.switches = switches;
        this.plans = new PlanStore<>(mostBytes, this::count);
    }

    /** Bounds anew what all plans together may take on the heap, bytes. */
    void limit(long mostBytes) {
        plans.limit(mostBytes);
    }

    GroupPlan currentFor(GroupKey key) {
        GroupPlan plan = plans.current(key);
        if (plan != null) {
            return plan;
        }
        GroupPlan fresh = planner.plan(key, ledgerOf(key.table), switches);
        built.increment();
        plans.put(key, fresh);
        return fresh;
    }

    /** What operators are shown; of a table without plans an empty one, which is not kept, as nothing would end it. */
    ShareLedger shownLedgerOf(TableId table) {
        ShareLedger ledger = ledgers.get(table);
        return ledger == null ? EMPTY : ledger;
    }

    private ShareLedger ledgerOf(TableId table) {
        return ledgers.computeIfAbsent(table, t -> new ShareLedger());
    }

    /** The contacts of each replica over all tables, faded. */
    Map<InetAddressAndPort, ShareLedger.Contacts> contacts() {
        Map<InetAddressAndPort, ShareLedger.Contacts> contacts = new HashMap<>();
        ledgers.values().forEach(ledger -> ledger.addTo(contacts));
        return contacts;
    }

    void forgetTable(TableId table) {
        ledgers.remove(table);
        plans.removeIf((key, plan) -> key.table.equals(table));
    }

    /** Plans built since the node started. */
    long built() {
        return built.sum();
    }

    /** What the plans take on the heap. */
    long bytes() {
        return plans.bytes();
    }

    /** Reads drawn by the plans since the node started. */
    long reads() {
        plans.forEach(this::count);
        return reads.sum();
    }

    private void count(GroupPlan plan) {
        reads.add(plan.settle());
    }

    /** Brings the ledgers up to date and drops plans that are no longer right; called once a second. */
    void settle() {
        ledgers.values().forEach(ShareLedger::fade);
        reads();
        plans.release();
        part = (part + 1) % LOOK_EVERY_SECONDS;
        long nowNanos = planner.nowNanos();
        plans.removeIf((key, plan) ->
                Math.floorMod(key.hashCode(), LOOK_EVERY_SECONDS) == part && !isStillRight(key, plan, nowNanos));
    }

    /** A plan that cannot be made any more is not right either: a snitch may no longer know a node that has left. */
    private boolean isStillRight(GroupKey key, GroupPlan plan, long nowNanos) {
        try {
            return plan.isStillRight(planner.inputs(key, plan.placement()), planner::load, nowNanos);
        } catch (RuntimeException | LinkageError | AssertionError e) {
            failures.record("A plan of reads was dropped, as it could not be looked at", e);
            return false;
        }
    }
}
