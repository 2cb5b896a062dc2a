// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import dev.isotherm.common.SamplePauses;
import dev.isotherm.heat.HeatBoard;
import java.util.ArrayList;
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
    /*
     * Most of thousands of tables are at rest: nothing was read since they were last looked at. What is measured of
     * these only fades, and one that is read again is seen when its turn comes, at most ten rounds later, so that a
     * round takes a time that grows little with the number of tables. Up to a hundred each has its turn in each round.
     * Those that are read have theirs at least each fifth round, a second, of what is smoothed over three.
     */
    private static final int TABLES_A_ROUND = 100;
    private static final int MOST_ROUNDS_AT_REST = 10;
    private static final int READ_TABLES_A_ROUND = 200;
    private static final int MOST_ROUNDS_READ = 5;

    private final Map<TableId, TableMeter> meters = new HashMap<>();
    private final HeatSourceChoice choice;
    private final DiskSampling sampling;
    private final HeatSwitches switches;
    private volatile long smoothingNanos;
    /** All tables, as of the beginning of these turns. */
    private List<ColumnFamilyStore> tables = List.of();
    /** Those of them that were read when they were last looked at. */
    private List<ColumnFamilyStore> read = new ArrayList<>();

    private final Map<TableId, TableHeat> heats = new HashMap<>();
    private int turns = 1;
    private int turn = turns;
    private int turnsOfRead = 1;
    private int round;
    /** That of the last time at which the meter was asked to rest. */
    private int roundBefore;

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
        round++;
        if (turn == turns) {
            turn = 0;
            tables = all.get();
            turns = Math.min(MOST_ROUNDS_AT_REST, 1 + tables.size() / TABLES_A_ROUND);
            followOnly(tables);
        }
        lookAtRead(nowNanos);
        int from = (int) ((long) tables.size() * turn / turns);
        turn++;
        int to = (int) ((long) tables.size() * turn / turns);
        tables.subList(from, to).forEach(table -> look(table, nowNanos));
        return heats;
    }

    /** Whether in the last round the turns of the tables that are read ended. */
    boolean hasLookedAtAllRead() {
        return round % turnsOfRead == turnsOfRead - 1;
    }

    private void lookAtRead(long nowNanos) {
        List<ColumnFamilyStore> before = read;
        read = new ArrayList<>(before.size());
        turnsOfRead = Math.min(MOST_ROUNDS_READ, 1 + before.size() / READ_TABLES_A_ROUND);
        for (ColumnFamilyStore table : before) {
            // By what stays the same: places in the list shift as tables come to rest.
            if (Math.floorMod(table.metadata.id.hashCode(), turnsOfRead) == round % turnsOfRead) {
                look(table, nowNanos);
            } else {
                readOn(table, meters.get(table.metadata.id));
            }
        }
    }

    /** Counts it among the tables that are read, until it is looked at again. */
    private void readOn(ColumnFamilyStore table, TableMeter meter) {
        if (meter != null && meter.readInRound != round) {
            meter.readInRound = round;
            read.add(table);
        }
    }

    private void look(ColumnFamilyStore table, long nowNanos) {
        TableId id = table.metadata.id;
        TableMeter meter = meters.get(id);
        if (meter != null && meter.round == round || !table.isValid()) {
            return;
        }
        boolean isAtRest = meter != null && meter.isAtRest(table);
        meter = measure(table, meter, nowNanos);
        if (meter == null) {
            if (meters.remove(id) != null) {
                heats.remove(id);
                followOnlyMeters();
            }
            return;
        }
        meter.round = round;
        if (meter.isWorthTelling) {
            heats.put(id, meter.heat);
        } else {
            heats.remove(id);
        }
        if (!isAtRest) {
            readOn(table, meter);
        }
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
        if (round == roundBefore) {
            tables = List.of();
            read = new ArrayList<>();
            turn = turns;
        }
        roundBefore = round;
    }

    /** The tables of the others are gone. */
    private void followOnly(List<ColumnFamilyStore> present) {
        Set<TableId> ids = new HashSet<>();
        present.forEach(table -> ids.add(table.metadata.id));
        if (meters.keySet().retainAll(ids)) {
            heats.keySet().retainAll(ids);
            read.removeIf(table -> !ids.contains(table.metadata.id));
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
