// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import dev.isotherm.heat.HeatBoard;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.schema.SchemaConstants;
import org.apache.cassandra.schema.TableId;

/** Measures this node's heat and reports it to the board. Used by one thread where nothing else is said. */
final class HeatMeter {
    private final Map<TableId, TableMeter> meters = new HashMap<>();
    private final HeatSourceChoice choice;
    private final DiskSampling sampling;
    private final HeatSwitches switches;
    private volatile long smoothingNanos;
    /** That of the meters. */
    private long usedNanos;

    private final HeatBoard<TableId, InetAddressAndPort> board;
    private final InetAddressAndPort self;
    private final PlacementChooser chooser;

    /** @param sampling samples the reads that go to the disk; null where the system does not tell them */
    HeatMeter(
            HeatSourceChoice choice,
            DiskSampling sampling,
            HeatSwitches switches,
            long smoothingNanos,
            HeatBoard<TableId, InetAddressAndPort> board,
            InetAddressAndPort self,
            PlacementChooser chooser) {
        this.choice = choice;
        this.sampling = sampling;
        this.switches = switches;
        this.smoothingNanos = smoothingNanos;
        this.usedNanos = smoothingNanos;
        this.board = board;
        this.self = self;
        this.chooser = chooser;
    }

    /** Sets the time constant of the moving averages from the next sample on; for any thread. */
    void smooth(long nanos) {
        smoothingNanos = nanos;
    }

    /**
     * Adds the reads since the last call.
     *
     * @return this node's heat for each table that is read, here or on other nodes
     */
    Map<TableId, TableHeat> sample(Iterable<ColumnFamilyStore> tables, long nowNanos) {
        Map<TableId, TableHeat> heats = new HashMap<>();
        Set<TableId> gone = new HashSet<>(meters.keySet());
        if (usedNanos != smoothingNanos) {
            usedNanos = smoothingNanos;
            meters.values().forEach(meter -> meter.setSmoothing(usedNanos));
        }
        for (ColumnFamilyStore table : tables) {
            TableId id = table.metadata.id;
            HeatSourceChoice source = sourceOf(table);
            if (source == null) {
                continue;
            }
            gone.remove(id);
            TableMeter meter = meters.get(id);
            if (meter == null || meter.source != source) {
                meter = meter(source, table, nowNanos);
                meters.put(id, meter);
            }
            meter.seen.follow(switches.balance());
            meter.sample(table, nowNanos);
            TableHeat heat = meter.heat(chooser.vote(table, meter.seen, meter.localReads(), nowNanos));
            // A table that nobody reads is kept off the board: each node that restarts takes a place in all of its
            // tables.
            if (meter.hasTraffic() || board.version(id) != 0) {
                board.report(id, self, heat.heat, heat.rate, heat.vote, nowNanos);
            }
            if (board.isWorthTelling(id, self, meter.hasTraffic(), heat.rate)) {
                heats.put(id, heat);
            }
        }
        meters.keySet().removeAll(gone);
        chooser.followOnly(meters.keySet());
        if (sampling != null && !gone.isEmpty()) {
            sampling.followOnly(meters.keySet());
        }
        return heats;
    }

    private TableMeter meter(HeatSourceChoice source, ColumnFamilyStore table, long nowNanos) {
        return source == HeatSourceChoice.DISK
                ? new DiskMeter(table, sampling, switches.balance(), usedNanos, nowNanos)
                : new CounterMeter(source, table, switches.balance(), usedNanos, nowNanos);
    }

    /** The source of the table's heat; null for a table without heat. */
    private HeatSourceChoice sourceOf(ColumnFamilyStore table) {
        if (SchemaConstants.isSystemKeyspace(table.keyspace.getName())) {
            return null;
        }
        return choice.of(table.isRowCacheEnabled(), sampling != null);
    }
}
