// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.balance;

import dev.isotherm.heat.BalanceSettings;
import java.util.ArrayDeque;

/** A node: its process may stop, pause and start; its threads, processors, disk and cache serve reads. */
final class Node {
    private static final int READ_THREADS = 32;

    final int number;
    private final Simulation simulation;
    private final Scenario scenario;
    private final Events events;
    private final Station processors;
    private final Station disk;
    private final RecentRows rows;
    private final ArrayDeque<Contact> waiting = new ArrayDeque<>();
    private final ArrayDeque<Runnable> heldBack = new ArrayDeque<>();
    private final HeatOfNode heat;
    private Order order;
    private GuardOfNode guard;
    /** Null where no reads are copied. */
    private WarmingOfNode warming;

    /** Misses to come that have to read the index, too. */
    private int indexReadsLeft;

    private int threadsBusy;
    private int generation = 1;
    private boolean paused;
    private long lateNanos;

    Node(int number, Simulation simulation, Scenario scenario, int rowCount) {
        this.number = number;
        this.simulation = simulation;
        this.scenario = scenario;
        this.events = simulation.events;
        processors = new Station(events, this::whenRunning, scenario.cores, scenario.seconds);
        disk = new Station(events, this::whenRunning, scenario.diskPlaces, scenario.seconds);
        rows = new RecentRows(rowCount, Math.min(rowCount, scenario.cachedRows));
        heat = new HeatOfNode(number, simulation, scenario, other -> guard != null && guard.isAvoided(other));
        begin();
    }

    private void begin() {
        heat.begin(generation);
        order = simulation.orderOf(number, heat);
        guard = scenario.guarded && simulation.policy.isIsotherm() ? new GuardOfNode(this, simulation) : null;
        warming = scenario.warmed && simulation.policy.isIsotherm() ? new WarmingOfNode(this, simulation) : null;
    }

    /** Runs an action of the process: at once, or after its pause. */
    void whenRunning(Runnable action) {
        if (paused) {
            heldBack.add(action);
        } else {
            action.run();
        }
    }

    void pause(long nanos) {
        paused = true;
        events.after(nanos, () -> {
            paused = false;
            while (!paused && !heldBack.isEmpty()) {
                heldBack.poll().run();
            }
        });
    }

    /** The process ends: what it had under way is lost. */
    void stop() {
        generation++;
        processors.clear();
        disk.clear();
        waiting.clear();
        threadsBusy = 0;
    }

    /** A new process, with an empty cache. */
    void start() {
        rows.clear();
        indexReadsLeft = scenario.indexReads;
        begin();
    }

    /** How often the process has started or ended. */
    int generation() {
        return generation;
    }

    long now() {
        return events.now();
    }

    RecentRows rows() {
        return rows;
    }

    Station processors() {
        return processors;
    }

    Station disk() {
        return disk;
    }

    HeatOfNode heat() {
        return heat;
    }

    GuardOfNode guard() {
        return guard;
    }

    WarmingOfNode warming() {
        return warming;
    }

    /** Messages to and from the node come later by that. */
    void setLate(long nanos) {
        lateNanos = nanos;
    }

    long lateNanos() {
        return lateNanos;
    }

    int readTasks() {
        return threadsBusy + waiting.size();
    }

    /** Another node has restarted. */
    void restarted(int other) {
        if (guard != null) {
            guard.restarted(other);
        }
    }

    /** Takes what another node tells. */
    void hear(int subject, Report report) {
        heat.hear(subject, report);
    }

    /** A client's request is here. */
    void coordinate(int partition) {
        Observations observed = simulation.observed;
        Request request = new Request(partition, scenario.contacts(), now(), observed);
        observed.begun(now());
        int begunIn = generation;
        whenRunning(() -> processors.submit(scenario.coordinateNanos, () -> {
            if (begunIn == generation && now() - request.begunNanos < Simulation.TIMEOUT_NANOS) {
                contactReplicas(request);
            }
        }));
    }

    private void contactReplicas(Request request) {
        heat.coordinated();
        int[] replicas = simulation.ring.replicasOf(simulation.ring.rangeOf(request.partition));
        int[] living = simulation.living(number, replicas);
        int[] near = simulation.near(number, living);
        if ((scenario.readsAreLocal ? near : living).length < scenario.contacts()) {
            simulation.observed.failed(request.begunNanos);
            return;
        }
        int[] inOrder = inOrder(request.partition, near, living);
        if (guard != null) {
            guard.reorder(inOrder, replicas.length / 2 + 1);
        }
        int contacted = 0;
        for (int i = 0; contacted < scenario.contacts(); i++) {
            int to = inOrder[i];
            if (scenario.readsAreLocal && !scenario.areNear(number, to)) {
                continue; // Cassandra leaves it out, wherever in the order it stands.
            }
            contact(request, to);
            if (guard != null && to != number) {
                guard.copyBeside(request, to, living);
            }
            if (warming != null && to != number) {
                warming.offer(request.partition, to, contacted > 0, replicas, near);
            }
            contacted++;
        }
    }

    /** The replicas of this datacenter, in the policy's order; those of others follow in the ring's, as in a snitch. */
    private int[] inOrder(int partition, int[] near, int[] living) {
        int[] into = new int[near.length];
        if (near.length > 0) {
            order.order(partition, near, into);
        }
        return near.length == living.length ? into : simulation.followedByFar(number, into, living);
    }

    /** Sends a read to a replica, this node perhaps. */
    void contact(Request request, int to) {
        Node replica = simulation.node(to);
        int row = simulation.rowOn(to, request.partition);
        Contact contact = new Contact(request, this, replica, row, simulation.nextMessage(), now());
        if (replica == this) {
            contact.run();
            return;
        }
        heat.sent(contact.id);
        if (guard != null) {
            guard.sent(to, contact.id);
        }
        simulation.observed.sent(scenario.areNear(number, to), now());
        events.after(simulation.wayNanos(number, to), () -> replica.whenRunning(contact));
        if (order.countsExpired()) {
            events.after(Simulation.TIMEOUT_NANOS, () -> {
                if (contact.isAwaited() && !contact.isAnswered()) {
                    order.answered(to, Simulation.TIMEOUT_NANOS);
                }
            });
        }
    }

    /** A read waits for a thread. */
    void await(Contact contact) {
        waiting.add(contact);
        startWaiting();
    }

    /** The processors do what the messages of a contact take. */
    void handleMessages(Runnable then) {
        if (scenario.remoteNanos == 0) {
            then.run();
        } else {
            processors.submit(scenario.remoteNanos, then);
        }
    }

    private void startWaiting() {
        while (threadsBusy < READ_THREADS && !waiting.isEmpty()) {
            Contact contact = waiting.poll();
            if (!contact.isGivenUp()) {
                threadsBusy++;
                contact.start(threadsBusy);
                processors.submit(scenario.serveNanos, contact);
            }
        }
    }

    /** How many reads of the disk the miss takes that begins now. */
    int diskReadsOfMiss() {
        if (indexReadsLeft == 0) {
            return scenario.diskReadsPerMiss;
        }
        indexReadsLeft--;
        return scenario.diskReadsPerMiss + 1;
    }

    void readDisk(Contact contact) {
        disk.submit(simulation.diskNanos(), contact);
    }

    void readDisk(CopiedRead copy) {
        disk.submitCopy(simulation.diskNanos(), copy);
    }

    /** Serves a copy, for which a thread is free. */
    void serve(CopiedRead copy) {
        threadsBusy++;
        copy.start();
        processors.submit(scenario.serveNanos, copy);
    }

    /** A copy has ended, after so many nanoseconds with a thread. */
    void copyEnded(CopiedRead copy, int diskReads, long nanos) {
        threadsBusy--;
        heat.served(copy.partition, diskReads, nanos, HeatMeter.NOT_COUNTED);
        if (guard != null) {
            guard.served(nanos);
        }
        simulation.observed.copied(number, diskReads, now());
        startWaiting();
        // Only where the disk is the source of heat is it told how often a read waited.
        warming.served(copy, scenario.source == HeatSource.DISK ? diskReads : 0, nanos);
    }

    /** A read has ended, after so many nanoseconds with a thread. */
    void ended(Contact contact, int diskReads, long nanos, int underWay) {
        threadsBusy--;
        heat.served(contact.request.partition, diskReads, nanos, underWay);
        if (guard != null) {
            guard.served(nanos);
        }
        simulation.observed.served(number, diskReads, now());
        if (contact.coordinator == this) {
            contact.request.answered(now());
            order.answered(number, now() - contact.sentNanos);
        } else {
            respond(contact);
        }
        startWaiting();
        if (warming != null) {
            warming.readEnded();
        }
    }

    private void respond(Contact contact) {
        Node to = contact.coordinator;
        long wayNanos = simulation.wayNanos(number, to.number);
        Report carried = heat.carriedTo(to.number);
        if (carried == null && !simulation.followsResponses() && scenario.remoteNanos == 0) {
            if (contact.isAwaited()) {
                contact.request.answered(now() + wayNanos);
            }
            return;
        }
        events.after(
                wayNanos,
                () -> to.whenRunning(() -> to.handleMessages(() -> {
                    if (contact.isAwaited()) {
                        to.receive(contact, this, carried);
                    }
                })));
    }

    private void receive(Contact contact, Node from, Report carried) {
        contact.request.answered(now());
        contact.answered();
        heat.answered(contact.id);
        long tookNanos = now() - contact.sentNanos;
        if (tookNanos < Simulation.TIMEOUT_NANOS) {
            order.answered(from.number, tookNanos);
        }
        if (guard != null) {
            guard.answered(from.number, contact.id);
        }
        if (carried != null && simulation.gossip.isAlive(number, from.number)) {
            heat.hear(from.number, carried);
        }
    }

    /** The five times a second in which a node measures its heat and tells it. */
    void settleHeat() {
        heat.settle();
    }

    static BalanceSettings settings() {
        return BalanceSettings.defaults();
    }
}
