// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import dev.isotherm.cassandra.runtime.UnreadableValues;
import dev.isotherm.common.MalformedReportException;
import dev.isotherm.heat.DisksOfNodes;
import dev.isotherm.heat.GossipLoad;
import dev.isotherm.heat.HeatBoard;
import dev.isotherm.heat.HeatReport;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.schema.TableId;

/**
 * Receives other nodes' heat reports, from gossip and read responses: checks them, counts them and puts them on the
 * board, and what they tell of the nodes' disks beside it.
 */
final class HeatIntake {
    /** A node with a table to tell repeats its report each 30 s: one silent for so long has none, or no plugin. */
    static final long SILENT_NANOS = TimeUnit.MINUTES.toNanos(2);

    private final HeatBoard<TableId, InetAddressAndPort> board;
    private final DisksOfNodes<InetAddressAndPort> disks;
    private final Predicate<TableId> knownTables;
    private final LongSupplier nanoClock;
    private final Set<InetAddressAndPort> reporters = ConcurrentHashMap.newKeySet();
    /** Those of them that have restarted and not reported since, and when they restarted first. */
    private final Map<InetAddressAndPort, Long> restarted = new ConcurrentHashMap<>();

    private final LongAdder accepted = new LongAdder();
    private final UnreadableValues unreadable = new UnreadableValues();

    /**
     * @param knownTables whether this node has a table; heats of other tables are dropped, so that the board stays
     *     bounded
     */
    HeatIntake(
            HeatBoard<TableId, InetAddressAndPort> board,
            DisksOfNodes<InetAddressAndPort> disks,
            Predicate<TableId> knownTables,
            LongSupplier nanoClock) {
        this.board = board;
        this.disks = disks;
        this.knownTables = knownTables;
        this.nanoClock = nanoClock;
    }

    /** Takes one report. A malformed report is dropped whole and counted. */
    void accept(InetAddressAndPort node, byte[] report) {
        long nowNanos = nanoClock.getAsLong();
        try {
            if (!reporters.contains(node)) {
                begin(node, HeatReport.decode(report, (tableMsb, tableLsb, heat, rate, vote) -> {}), nowNanos);
            }
            if (!restarted.isEmpty()) {
                restarted.remove(node);
            }
            HeatReport.decode(report, (tableMsb, tableLsb, heat, rate, vote) -> {
                TableId table = TableId.fromUUID(new UUID(tableMsb, tableLsb));
                if (knownTables.test(table)) {
                    board.report(table, node, heat, rate, vote, nowNanos);
                }
            });
            disks.told(node, HeatReport.servedAtOnce(report));
            accepted.increment();
        } catch (MalformedReportException e) {
            reject("A heat report was malformed and is ignored", node, e);
        }
    }

    /**
     * Before the first report of a node. For tables that are not in the report the node is cold, as it has not read
     * them; where the report {@linkplain GossipLoad may have left some out}, it is not known how warm the node is for
     * these. Of two reports that come together neither may find the other's tables cold, so that both wait until all
     * are.
     */
    private synchronized void begin(InetAddressAndPort node, int tables, long nowNanos) {
        if (!reporters.contains(node)) {
            if (tables < GossipLoad.LEAST_TABLES) {
                board.restarted(node, nowNanos);
            }
            reporters.add(node);
        }
    }

    /** Counts bytes that could not be read as a report. */
    void reject(String what, InetAddressAndPort node, Exception cause) {
        unreadable.ignore(what, node, cause);
    }

    /**
     * A node restarted: its caches are empty, despite earlier reports. Nodes that never reported stay unknown; one that
     * has not since it restarted before is unknown from now on, as where the plugin was taken away.
     */
    void restarted(InetAddressAndPort node) {
        if (!reporters.contains(node)) {
            return;
        }
        long nowNanos = nanoClock.getAsLong();
        Long before = restarted.putIfAbsent(node, nowNanos);
        if (before != null && nowNanos - before >= SILENT_NANOS) {
            removed(node);
        } else {
            board.restarted(node, nowNanos);
        }
    }

    /** A node left the cluster. */
    void removed(InetAddressAndPort node) {
        reporters.remove(node);
        restarted.remove(node);
        board.forget(node);
        disks.forget(node);
    }

    /** Reports accepted since the node started. */
    long accepted() {
        return accepted.sum();
    }

    /** Reports dropped as malformed since the node started. */
    long malformed() {
        return unreadable.count();
    }
}
