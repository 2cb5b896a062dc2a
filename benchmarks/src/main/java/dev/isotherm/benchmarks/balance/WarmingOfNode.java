// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.balance;

import dev.isotherm.heat.HomeReplicas;
import dev.isotherm.heat.Placement;
import dev.isotherm.heat.Warmth;
import dev.isotherm.warming.ColdTables;
import dev.isotherm.warming.CopyPace;
import dev.isotherm.warming.CopyPlaces;
import dev.isotherm.warming.CopyQueue;
import dev.isotherm.warming.Invitation;
import dev.isotherm.warming.Invitations;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;

/** How one process warms itself with copies of others' reads, and others with copies of its own. */
final class WarmingOfNode {
    private static final UUID TABLE = new UUID(0, 0);
    /* As the plugin: what is no setting there, and the defaults of the settings. */
    private static final long ROUND_NANOS = Simulation.SECOND;
    private static final long INVITATION_LIFE_NANOS = 3 * Simulation.SECOND;
    private static final int MOST_WAITING = 64;
    private static final int CONCURRENT_READS = 8;
    private static final long AT_MOST_NANOS = 600 * Simulation.SECOND;

    private final Node node;
    private final Simulation simulation;
    private final SplittableRandom random;
    private final int generation;
    private final ColdTables<Integer> cold;
    private final CopyPace pace = new CopyPace();
    private final CopyQueue<CopiedRead> copies = new CopyQueue<>(CONCURRENT_READS, MOST_WAITING);
    private final CopyPlaces places = new CopyPlaces(CONCURRENT_READS);
    private final Invitations<Integer, UUID> invitations = new Invitations<>(INVITATION_LIFE_NANOS);
    private final Map<Placement, HomeReplicas> homes = new EnumMap<>(Placement.class);
    private boolean asks;
    private long arrivedBefore;
    private long droppedBefore;

    WarmingOfNode(Node node, Simulation simulation) {
        this.node = node;
        this.simulation = simulation;
        this.random = simulation.split();
        this.generation = node.generation();
        for (Placement placement : Placement.values()) {
            homes.put(placement, new HomeReplicas(Node.settings().withPlacement(placement)));
        }
        this.cold = new ColdTables<>(node.now(), AT_MOST_NANOS);
        simulation.events.after((long) (random.nextDouble() * ROUND_NANOS), this::round);
    }

    private void round() {
        if (generation == node.generation()) {
            simulation.events.after(ROUND_NANOS, this::round);
            node.whenRunning(this::look);
        }
    }

    private void look() {
        long now = node.now();
        invitations.expire(now).forEach(other -> node.heat().warmed(other, false));
        boolean asked = asks;
        asks = isCold(now);
        places.settle(now);
        serveWaiting();
        if (asks) {
            tell(new Invitation(asked ? settledPace() : CopyPace.FIRST, Set.of(TABLE)));
        } else if (asked) {
            copies.clear();
            pace.reset();
            places.reset();
            tell(new Invitation(1, Set.of()));
        }
        arrivedBefore = copies.arrived();
        droppedBefore = copies.dropped();
    }

    private boolean isCold(long now) {
        if (cold.isOver(now)) {
            return false;
        }
        Map<Integer, Double> timesPeers = Warmth.timesPeers(
                node.heat().board(),
                table -> true,
                peer -> simulation.scenario.areNear(node.number, peer)
                        && !node.heat().leavesOut(peer),
                node.number,
                Node.settings(),
                now);
        return !cold.look(timesPeers, now).isEmpty();
    }

    private double settledPace() {
        return pace.settle(copies.arrived() - arrivedBefore, copies.dropped() - droppedBefore);
    }

    private void tell(Invitation invitation) {
        invited(node.number, invitation);
        for (int other = 0; other < simulation.size(); other++) {
            boolean isPeer = other != node.number && simulation.scenario.areNear(node.number, other);
            if (isPeer && simulation.gossip.isAlive(node.number, other)) {
                Node peer = simulation.node(other);
                send(peer, () -> peer.warming().invited(node.number, invitation));
            }
        }
    }

    private void send(Node to, Runnable received) {
        int sentTo = to.generation();
        simulation.events.after(simulation.wayNanos(node.number, to.number), () -> {
            if (sentTo == to.generation()) {
                to.whenRunning(received);
            }
        });
    }

    private void invited(int from, Invitation invitation) {
        invitations.invited(from, invitation.fraction(), invitation.tables(), node.now());
        node.heat().warmed(from, !invitation.tables().isEmpty());
    }

    /**
     * Copies a read that leaves for a replica to a cold node, if one has asked for it.
     *
     * @param replicas of the partition, living or not
     * @param living those of them in this datacenter that live
     * @param isDigest whether the read asks for a digest of the row and not the row
     */
    void offer(int partition, int to, boolean isDigest, int[] replicas, int[] living) {
        if (!invitations.mayWant(TABLE)) {
            return;
        }
        Integer chosen = invitations.choose(TABLE, random::nextDouble, node.now(), new Invitations.Replicas<>() {
            @Override
            public int count() {
                return replicas.length;
            }

            @Override
            public Integer at(int place) {
                return replicas[place];
            }

            @Override
            public boolean serves(int place) {
                int other = replicas[place];
                return other != to && bears(other, isDigest, replicas) && isHome(other, partition, living);
            }
        });
        if (chosen == null) {
            return;
        }
        Node replica = simulation.node(chosen);
        CopiedRead copy = new CopiedRead(replica, partition, simulation.rowOn(chosen, partition));
        if (replica == node) {
            take(copy);
        } else {
            simulation.observed.sent(simulation.scenario.areNear(node.number, chosen), node.now());
            node.handleMessages(() -> send(replica, () -> replica.warming().receive(copy)));
        }
    }

    private boolean bears(int other, boolean isDigest, int[] replicas) {
        return !(isDigest && (other == node.number || !isAmong(node.number, replicas)))
                && !(node.guard() != null && node.guard().isAvoided(other))
                && simulation.gossip.isAlive(node.number, other);
    }

    private boolean isHome(int other, int partition, int[] living) {
        int[] members = Arrays.stream(living).sorted().toArray();
        int index = Arrays.binarySearch(members, other);
        return homes.get(node.heat().placement())
                .contain(members.length, simulation.scenario.contacts(), partition, index);
    }

    private static boolean isAmong(int number, int[] replicas) {
        for (int replica : replicas) {
            if (replica == number) {
                return true;
            }
        }
        return false;
    }

    private void receive(CopiedRead copy) {
        int receivedBy = node.generation();
        node.handleMessages(() -> {
            if (receivedBy == node.generation()) {
                take(copy);
            }
        });
    }

    private void take(CopiedRead copy) {
        if (asks) {
            copy.arrived();
            copies.arrive(copy);
            serveWaiting();
        }
    }

    /** Copies begin while fewer reads are served than the disk serves side by side. */
    private void serveWaiting() {
        while (node.readTasks() < places.limit()) {
            CopiedRead copy = copies.next();
            if (copy == null) {
                return;
            }
            if (asks && !copy.isLate()) {
                copy.underWay = node.readTasks() + 1;
                node.serve(copy);
            } else {
                copies.served();
            }
        }
    }

    /** A copy has ended: it waited so often for the disk, in so many nanoseconds. */
    void served(CopiedRead copy, int waits, long nanos) {
        places.ended(copy.underWay, waits, nanos);
        copies.served();
        serveWaiting();
    }

    /** A read that is no copy has ended. */
    void readEnded() {
        if (asks && places.limit() > 1) {
            serveWaiting();
        }
    }
}
