// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import dev.isotherm.common.SamplePauses;
import dev.isotherm.heat.HeatBoard;
import dev.isotherm.heat.LookTurns;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
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
    private final Map<TableId, TableHeat> heats = new HashMap<>();
    private final LookTurns<ColumnFamilyStore> turns = new LookTurns<>();

    private final SamplePauses samplePauses = new SamplePauses();
    private int pauses;
    /** The smoothing that the meters use now. */
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
     * @param all all tables that there are; asked at the beginning of the turns
     * @return this node's heat for each table that is read, here or on other nodes, until the next call
     */
    Map<TableId, TableHeat> sample(Supplier<List<ColumnFamilyStore>> all, long nowNanos) {
        if (usedNanos != smoothingNanos) {
            usedNanos = smoothingNanos;
            meters.values().forEach(meter -> meter.setSmoothing(usedNanos));
        }
        if (samplePauses.endsPause(nowNanos)) {
            pauses++;
        }
        turns.next(all, this::followOnly, table -> look(table, nowNanos));
        if (sampling != null) {
            sampling.settle();
        }
        return heats;
    }

    /** Whether in the last sample the turns of the tables that are read ended. */
    boolean hasLookedAtAllRead() {
        return turns.haveLookedAtAllRead();
    }

    /** Looks at a table; whether it was read since it was last looked at. */
    private boolean look(ColumnFamilyStore table, long nowNanos) {
        if (!table.isValid()) {
            return false;
        }
        TableId id = table.metadata.id;
        TableMeter meter = meters.get(id);
        boolean isAtRest = meter != null && meter.isAtRest(table);
        meter = measure(table, meter, nowNanos);
        if (meter == null) {
            if (meters.remove(id) != null) {
                heats.remove(id);
                followOnlyMeters();
            }
            return false;
        }
        if (meter.isWorthTelling) {
            heats.put(id, meter.heat);
        } else {
            heats.remove(id);
        }
        return !isAtRest;
    }

    /** Adds a table's reads, and reports its heat to the board; null for a table without heat. */
    private TableMeter measure(ColumnFamilyStore table, TableMeter present, long nowNanos) {
        TableId id = table.metadata.id;
        HeatSourceChoice source = sourceOf(table);
        if (source == null) {
            return null;
        }
        TableMeter meter = present;
        if (meter == null || meter.source != source) {
            meter = meter(source, table, nowNanos);
            meter.pauses = pauses;
            meters.put(id, meter);
        }
        meter.seen.follow(switches.balance());
        if (meter.pauses == pauses || meter.hasSkipped) {
            meter.sample(table, nowNanos);
            meter.hasSkipped = false;
        } else {
            meter.skip(table, nowNanos);
            // Where each round comes late, a table that does not have its turn in each is measured each second time.
            meter.hasSkipped = true;
        }
        meter.pauses = pauses;
        TableHeat heat = meter.heat(chooser.vote(table, meter.seen, meter.localReads(), nowNanos));
        // A table that nobody reads is kept off the board: each node that restarts takes a place in all of its
        // tables.
        if (meter.hasTraffic() || board.version(id) != 0) {
            board.report(id, self, heat.heat, heat.rate, heat.vote, nowNanos);
        }
        meter.isWorthTelling = board.isWorthTelling(id, self, meter.hasTraffic(), heat.rate);
        return meter;
    }

    /** Lets go of the tables until the next sample, unless there was one since the last call: these may be dropped. */
    void restUnlessUsed() {
        turns.restUnlessUsed();
    }

    /** The tables of the others are gone. */
    private void followOnly(Collection<ColumnFamilyStore> present) {
        Set<TableId> ids = new HashSet<>();
        present.forEach(table -> ids.add(table.metadata.id));
        if (meters.keySet().retainAll(ids)) {
            heats.keySet().retainAll(ids);
            followOnlyMeters();
        }
    }

    private void followOnlyMeters() {
        chooser.followOnly(meters.keySet());
        if (sampling != null) {
            sampling.followOnly(meters.keySet());
        }
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
