// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.config;

import dev.isotherm.cassandra.limit.LimiterChoice;
import dev.isotherm.heat.BalanceSettings;
import dev.isotherm.queue.QueueSettings;

/** What {@code isotherm.yaml} says, checked. Immutable. */
public final class IsothermConfig {
    private final String snitch;
    private final String queryHandler;
    private final boolean heatEnabled;
    private final HeatSourceChoice heatSource;
    private final BalanceSettings balance;
    private final long smoothingNanos;
    private final long staleAfterNanos;
    private final boolean limitEnabled;
    private final LimiterChoice limitCounter;
    private final long limitMemoryBytes;
    private final boolean queueEnabled;
    private final QueueSettings queue;

    IsothermConfig(
            String snitch,
            String queryHandler,
            boolean heatEnabled,
            HeatSourceChoice heatSource,
            BalanceSettings balance,
            long smoothingNanos,
            long staleAfterNanos,
            boolean limitEnabled,
            LimiterChoice limitCounter,
            long limitMemoryBytes,
            boolean queueEnabled,
            QueueSettings queue) {
        this.snitch = snitch;
        this.queryHandler = queryHandler;
        this.heatEnabled = heatEnabled;
        this.heatSource = heatSource;
        this.balance = balance;
        this.smoothingNanos = smoothingNanos;
        this.staleAfterNanos = staleAfterNanos;
        this.limitEnabled = limitEnabled;
        this.limitCounter = limitCounter;
        this.limitMemoryBytes = limitMemoryBytes;
        this.queueEnabled = queueEnabled;
        this.queue = queue;
    }

    /** The operator's own snitch: a class name, or the bare name of one of Cassandra's. */
    public String snitch() {
        return snitch;
    }

    /** The operator's own query handler, or null for Cassandra's. */
    public String queryHandler() {
        return queryHandler;
    }

    /** Whether reads are balanced when the node starts. */
    public boolean heatEnabled() {
        return heatEnabled;
    }

    public HeatSourceChoice heatSource() {
        return heatSource;
    }

    public BalanceSettings balance() {
        return balance;
    }

    /** The time constant of the moving average of this node's own heat. */
    public long smoothingNanos() {
        return smoothingNanos;
    }

    /** How old a belief about another node may grow before it says nothing. */
    public long staleAfterNanos() {
        return staleAfterNanos;
    }

    /** Whether per-partition limits are enforced when the node starts. */
    public boolean limitEnabled() {
        return limitEnabled;
    }

    public LimiterChoice limitCounter() {
        return limitCounter;
    }

    /** Whether leaders of counter updates are chosen by their queues when the node starts. */
    public boolean queueEnabled() {
        return queueEnabled;
    }

    public QueueSettings queue() {
        return queue;
    }

    /** The memory in which partitions are counted. */
    public long limitMemoryBytes() {
        return limitMemoryBytes;
    }
}
