// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.schema.TableId;

/** The plans in use. A plan is replaced after a change of a heat, a setting or the membership of its group. */
final class GroupPlans {
    /** About 1 KiB each. At this number all are dropped, and reads rebuild their plans, in microseconds each. */
    private static final int MAX_PLANS = 32_768;
    /**
     * Bounds the time until changes that no heat reports take effect: of a datacenter, of replication, of a silent
     * node.
     */
    private static final int MAX_AGE_SECONDS = 5;

    private final Map<GroupKey, GroupPlan> plans = new ConcurrentHashMap<>();
    private final Map<TableId, ShareLedger> ledgers = new ConcurrentHashMap<>();
    private final GroupPlanner planner;
    private final HeatSwitches switches;
    private final Queue<GroupPlan> retired = new ConcurrentLinkedQueue<>();
    private Set<GroupPlan> leaving = Set.of();
    private long reads;
    private final LongAdder built = new LongAdder();
    /** Whole seconds since the start, counted by {@link #settle}: reads need no clock. */
    private volatile int second;

    GroupPlans(GroupPlanner planner, HeatSwitches switches) {
        this.planner = planner;
        this.switches = switches;
    }

    GroupPlan currentFor(GroupKey key) {
        GroupPlan plan = plans.get(key);
        if (plan != null && plan.isCurrent(switches.balance(), second)) {
            return plan;
        }
        if (plan == null && plans.size() >= MAX_PLANS) {
            retired.addAll(plans.values());
            plans.clear();
        }
        GroupPlan fresh = planner.plan(key, ledgerOf(key.table), switches.balance(), second + MAX_AGE_SECONDS);
        built.increment();
        GroupPlan replaced = plans.put(key, fresh);
        if (replaced != null) {
            retired.add(replaced);
        }
        return fresh;
    }

    ShareLedger ledgerOf(TableId table) {
        return ledgers.computeIfAbsent(table, t -> new ShareLedger());
    }

    /** The contacts of each replica over all tables, faded: wanted and sent. */
    Map<InetAddressAndPort, double[]> contacts() {
        Map<InetAddressAndPort, double[]> contacts = new HashMap<>();
        ledgers.values().forEach(ledger -> ledger.addTo(contacts));
        return contacts;
    }

    void forgetTable(TableId table) {
        ledgers.remove(table);
        plans.keySet().removeIf(key -> key.table.equals(table));
    }

    /** Plans built since the node started. */
    long built() {
        return built.sum();
    }

    /** Reads drawn by the plans since the node started. */
    synchronized long reads() {
        plans.values().forEach(plan -> reads += plan.settle());
        retired.forEach(plan -> reads += plan.settle());
        return reads;
    }

    /** Brings the ledgers up to date and drops plans that no read renewed; called once a second. */
    synchronized void settle() {
        second++;
        ledgers.values().forEach(ShareLedger::fade);
        reads();
        // A read that drew from a plan during its replacement has counted its draw by the next second.
        retired.removeAll(leaving);
        leaving = new HashSet<>(retired);
        for (Map.Entry<GroupKey, GroupPlan> entry : plans.entrySet()) {
            if (entry.getValue().isOutdatedBy(second) && plans.remove(entry.getKey(), entry.getValue())) {
                retired.add(entry.getValue());
            }
        }
    }
}
