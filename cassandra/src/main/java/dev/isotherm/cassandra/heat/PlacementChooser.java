// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import dev.isotherm.cassandra.runtime.Failures;
import dev.isotherm.cassandra.runtime.RationedLog;
import dev.isotherm.heat.ChosenPlacement;
import dev.isotherm.heat.HeatBoard;
import dev.isotherm.heat.Placement;
import dev.isotherm.heat.PlacementCosts;
import dev.isotherm.heat.PlacementVotes;
import dev.isotherm.heat.RequestRate;
import dev.isotherm.heat.RoundTrips;
import dev.isotherm.heat.SeenMisses;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.locator.IEndpointSnitch;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.schema.TableId;

/**
 * Chooses the placement of each table together with the other nodes of the datacenter, where the setting is
 * {@code auto}. Used by one thread.
 */
final class PlacementChooser {
    private static final long FIND_NANOS = 1_000_000_000L;
    /**
     * Where a look has failed the table has local for so long: what fails now and then changes it at most eight times
     * in an hour, like votes.
     */
    private static final long REST_NANOS = 900_000_000_000L;

    private final Map<TableId, Table> tables = new HashMap<>();
    private final RationedLog log = new RationedLog(System::nanoTime);
    private final HeatSwitches switches;
    private final HeatBoard<TableId, InetAddressAndPort> board;
    private final RoundTrips trips;
    private final IEndpointSnitch snitch;
    private final Supplier<Set<InetAddressAndPort>> ring;
    private final Predicate<InetAddressAndPort> isDown;
    private final Predicate<InetAddressAndPort> isAvoided;
    private final InetAddressAndPort self;
    private final Failures failures;
    private String here;
    /** The nodes of this node's datacenter, as they were when it was looked for them last. */
    private Set<InetAddressAndPort> membersHere;
    /** Those of them that were down. */
    private Set<InetAddressAndPort> downHere;
    /** Whether reads of this node avoided one of them. */
    private boolean isAnyAvoidedHere;

    private long foundNanos;

    private static final class Table {
        final ChosenPlacement chosen;
        /** Whether the last look threw: then the table is left alone for a while. */
        final boolean hasFailed;

        long lookedNanos;

        Table(Placement inForce, boolean hasFailed, long nowNanos) {
            this.chosen = new ChosenPlacement(inForce, nowNanos);
            this.hasFailed = hasFailed;
            this.lookedNanos = nowNanos;
        }

        boolean isNextLookDue(long everyNanos, long nowNanos) {
            return !hasFailed && nowNanos - lookedNanos >= everyNanos;
        }

        boolean hasRested(long nowNanos) {
            return hasFailed && nowNanos - lookedNanos >= REST_NANOS;
        }
    }

    /**
     * @param trips times reads that this node sends to others
     * @param ring the nodes of all datacenters, down or not
     * @param isDown whether Cassandra considers the node dead
     * @param isAvoided whether reads of this node avoid a replica
     */
    PlacementChooser(
            HeatSwitches switches,
            HeatBoard<TableId, InetAddressAndPort> board,
            RoundTrips trips,
            IEndpointSnitch snitch,
            Supplier<Set<InetAddressAndPort>> ring,
            Predicate<InetAddressAndPort> isDown,
            Predicate<InetAddressAndPort> isAvoided,
            InetAddressAndPort self,
            Failures failures) {
        this.switches = switches;
        this.board = board;
        this.trips = trips;
        this.snitch = snitch;
        this.ring = ring;
        this.isDown = isDown;
        this.isAvoided = isAvoided;
        this.self = self;
        this.failures = failures;
    }

    /**
     * Looks at the votes and at this node's reads, {@linkplain ChosenPlacement#lookEveryNanos now and then}.
     *
     * @param seen this node's reads since the last look
     * @param servedPerSecond the reads that this node serves; null while it is not known
     * @return what this node votes for; null for no vote
     */
    Placement vote(ColumnFamilyStore table, SeenMisses seen, RequestRate servedPerSecond, long nowNanos) {
        try {
            return looked(table, seen, servedPerSecond, nowNanos);
        } catch (RuntimeException | LinkageError | AssertionError e) {
            // The table's heat is told all the same.
            failures.record("The placement of a table could not be chosen and is local", e);
            switches.choose(table.metadata.id, Placement.LOCAL);
            tables.put(table.metadata.id, new Table(Placement.LOCAL, true, nowNanos));
            return null;
        }
    }

    private Placement looked(ColumnFamilyStore table, SeenMisses seen, RequestRate servedPerSecond, long nowNanos) {
        TableId id = table.metadata.id;
        // Switched off, reads follow the snitch: what they miss says nothing of a placement.
        if (switches.choice() != PlacementChoice.AUTO || !switches.enabled().isOn()) {
            tables.remove(id);
            return null;
        }
        Placement inForce = switches.balanceOf(id).settings().placement();
        Table present = tables.get(id);
        // The setting may have been another meanwhile.
        if (present == null || present.chosen.inForce() != inForce || present.hasRested(nowNanos)) {
            seen.clear();
            present = new Table(inForce, false, nowNanos);
            tables.put(id, present);
        } else if (present.isNextLookDue(lookEveryNanos(), nowNanos)) {
            present.lookedNanos = nowNanos;
            look(table, present.chosen, seen, servedPerSecond, nowNanos);
        }
        return present.chosen.vote();
    }

    private void look(
            ColumnFamilyStore table, ChosenPlacement chosen, SeenMisses seen, RequestRate served, long nowNanos) {
        findMembers(nowNanos);
        int replicas = FullReplicas.in(here, table.keyspace);
        PlacementVotes votes = board.votes(table.metadata.id, membersHere::contains, downHere::contains, nowNanos);
        votes.fillUpDownTo(downHere.size());
        votes.fillUpTo(Math.max(replicas, membersHere.size()));
        PlacementCosts costs = costs(table, seen, served, replicas, nowNanos);
        if (chosen.look(votes, seen, costs, isAnyAvoidedHere, nowNanos)) {
            Placement placement = chosen.inForce();
            if (!switches.choose(table.metadata.id, placement)) {
                return;
            }
            log.info(
                    "The placement of {}.{} is now {}, for which {} of {} nodes vote",
                    table.keyspace.getName(),
                    table.name,
                    PlacementChoice.of(placement).text(),
                    votes.votesFor(placement),
                    votes.nodes());
        }
    }

    private long lookEveryNanos() {
        return ChosenPlacement.lookEveryNanos(tables.size(), membersHere == null ? 1 : membersHere.size());
    }

    /** Finds this datacenter's nodes, once for all tables of a round: a snitch may take its time for each node. */
    private void findMembers(long nowNanos) {
        if (membersHere == null || nowNanos - foundNanos >= FIND_NANOS) {
            String datacenter = snitch.getDatacenter(self);
            Set<InetAddressAndPort> found = new HashSet<>();
            Set<InetAddressAndPort> down = new HashSet<>();
            for (InetAddressAndPort node : ring.get()) {
                if (datacenter.equals(snitch.getDatacenter(node))) {
                    found.add(node);
                    if (isDown.test(node)) {
                        down.add(node);
                    }
                }
            }
            here = datacenter;
            membersHere = found;
            downHere = down;
            isAnyAvoidedHere = found.stream().anyMatch(isAvoided);
            foundNanos = nowNanos;
        }
    }

    /** Null while they are not known: this node has served no reads, or none was answered by another node. */
    private PlacementCosts costs(
            ColumnFamilyStore table, SeenMisses seen, RequestRate served, int replicas, long nowNanos) {
        return PlacementCosts.ifKnown(
                board.contactsPerRequest(table.metadata.id, served, membersHere::contains, nowNanos),
                replicas,
                seen.missNanos(),
                trips.leastNanos(),
                switches.balance().wanderingFraction());
    }

    /** Forgets all other tables. */
    void followOnly(Set<TableId> followed) {
        tables.keySet().retainAll(followed);
    }
}
