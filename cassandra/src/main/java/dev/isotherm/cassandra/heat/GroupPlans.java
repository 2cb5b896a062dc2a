// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.isotherm.heat.HeatBoard;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.schema.TableId;

/** The plans in use, made anew when a heat, a setting or the membership of their group has changed. */
final class GroupPlans {
    /** About 1 KiB each. A read whose plan fell out of the cache pays one rebuild, some microseconds. */
    private static final int MAX_PLANS = 32_768;

    private final Cache<GroupKey, GroupPlan> plans =
        Caffeine.newBuilder()
            .maximumSize(MAX_PLANS)
            .expireAfterAccess(10, TimeUnit.MINUTES)
            .executor(Runnable::run)
            .build();
    private final Map<TableId, ShareLedger> ledgers = new ConcurrentHashMap<>();
    private final HeatBoard<TableId, InetAddressAndPort> board;
    private final GroupPlanner planner;
    private final HeatSwitches switches;
    private final LongAdder built = new LongAdder();

    GroupPlans(HeatBoard<TableId, InetAddressAndPort> board, GroupPlanner planner, HeatSwitches switches) {
        this.board = board;
        this.planner = planner;
        this.switches = switches;
    }

    GroupPlan currentFor(GroupKey key, long nowNanos) {
        GroupPlan plan = plans.getIfPresent(key);
        if (plan != null && plan.isCurrent(board.version(key.table), switches.balance(), nowNanos)) {
            return plan;
        }
        GroupPlan fresh = planner.plan(key, ledgerOf(key.table), switches.balance(), nowNanos);
        built.increment();
        GroupPlan replaced = plans.asMap().put(key, fresh);
        if (replaced != null) {
            replaced.settle();
        }
        return fresh;
    }

    ShareLedger ledgerOf(TableId table) {
        return ledgers.computeIfAbsent(table, t -> new ShareLedger());
    }

    void forgetTable(TableId table) {
        ledgers.remove(table);
    }

    /** Plans built since the node started. */
    long built() {
        return built.sum();
    }

    /** Brings the ledgers up to date; called once a second. */
    void settle() {
        ledgers.values().forEach(ShareLedger::fade);
        plans.asMap().values().forEach(GroupPlan::settle);
    }
}
