// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import dev.isotherm.common.RunningClock;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * Decides which replicas the reads of one coordinator avoid for now, by what this coordinator has sent to them and not
 * heard of.
 *
 * <p>A replica is avoided when several of its reads are late, or it answers nothing, or most of its reads take much
 * longer than at most other nodes, while another replica is well. An avoided replica is never forgotten: after 0.25, 1
 * and 4 s, and every 4 s from then on, copies of reads try it one at a time, and sixteen answers in time end it, over
 * three seconds where it has fallen silent again. What the coordinator did not see because it was itself paused does
 * not count. A process that hardly runs leaves its own reads to the others while most of them run.
 *
 * <p>{@link #sent}, {@link #sentLasting}, {@link #answered} and {@link #avoided} are for any thread, take no lock and
 * allocate nothing for a known replica, as {@link #saysStarved} and {@link #isStarved} do. Any thread may also call
 * {@link #use}, {@link #replicas} and {@link #statusOf}, and {@link #takeOut}, {@link #putBack}, {@link #restarted},
 * {@link #looked}, {@link #forget} and {@link #forgetAll}, which exclude each other and {@link #look}. One thread
 * looks, and calls {@link #observeLocal}.
 */
/*
 * The idea is the soft limit on queues of Riak, applied to reads: leave the choice to the slow, exact loop, and only
 * swap a contact whose replica visibly has too much unanswered. It is no latency balancer: a replica is judged by what
 * is usual for it. The one comparison with others is SlowerThanMost, which spares one until it was once quick.
 */
public final class ReadGuard<N> {
    /** Receives the beginning and the end of each avoidance. */
    public interface Listener<N> {
        void began(N replica, String reason);

        void ended(N replica, long afterNanos);
    }

    /** The time from one {@link #look} to the next. */
    public static final long LOOK_NANOS = 10_000_000;

    /** A gap between two looks longer than this is a pause of this process. */
    private static final long PAUSE_NANOS = 2 * LOOK_NANOS;

    /** How long, in wall-clock time, a node is believed: that it answers, or that it hardly runs, as it has said. */
    static final long TOLD_NANOS = 5_000_000_000L;

    private static final int LOOKS_BACK = 50;
    private static final long SECOND = 1_000_000_000;

    private volatile GuardSettings settings;
    private final N self;
    private final LongSupplier giveUpNanos;
    private final LongSupplier giveUpLastingNanos;
    private final Predicate<N> mayServe;
    private final OtherReplicas<N> others;
    private final Listener<N> listener;
    private final LocalReads local;
    private final LeftReads left = new LeftReads();
    private final Elsewhere elsewhere = new Elsewhere();
    private final Map<N, WatchedReplica> replicas = new ConcurrentHashMap<>();
    private final Map<N, Long> outUntilNanos = new ConcurrentHashMap<>();
    private final ColdNodes<N> cold = new ColdNodes<>();
    /** The clock of the reads, which stands still while this process does: answers may wait for it meanwhile. */
    private final RunningClock clock;

    private volatile Avoided<N> avoided = Avoided.none();
    /** Whether this process hardly runs, or nearly. */
    private volatile boolean noHelp;

    private final PendingChanges changes = new PendingChanges();

    private long lookedNanos;
    private long lostInLookNanos;
    private long learnedNanos;
    private long lostWhenObserved;

    /**
     * @param self this node
     * @param giveUpNanos the age at which Cassandra has given up a read, 1 or above
     * @param giveUpLastingNanos that of a read that may take as long as it does, such as of a range
     * @param mayServe whether a node could serve reads of this coordinator although it has served none lately: it is
     *     this one, or alive and of the same datacenter; asked each second until it is, and while one is in trouble
     */
    public ReadGuard(
            GuardSettings settings,
            N self,
            LongSupplier giveUpNanos,
            LongSupplier giveUpLastingNanos,
            Predicate<N> mayServe,
            Listener<N> listener,
            long nowNanos) {
        this.settings = settings;
        this.self = self;
        this.giveUpNanos = giveUpNanos;
        this.giveUpLastingNanos = giveUpLastingNanos;
        this.mayServe = mayServe;
        this.listener = listener;
        this.local = new LocalReads(settings);
        this.others = new OtherReplicas<>(replicas, local, mayServe);
        this.lookedNanos = nowNanos;
        this.clock = new RunningClock(PAUSE_NANOS, LOOK_NANOS, nowNanos);
        this.learnedNanos = nowNanos;
        replicas.put(self, new WatchedReplica(local, settings, LOOKS_BACK, nowNanos));
    }

    /** Follows other settings within a second. */
    public void use(GuardSettings changed) {
        settings = changed;
    }

    /** Notes a read sent to another node, by the id of its message; ids are given out in sequence. */
    public void sent(N replica, long id, long nowNanos) {
        long runningNanos = clock.running(nowNanos);
        RemoteReads reads = readsOf(watched(replica, runningNanos));
        if (reads != null) {
            reads.sent(id, runningNanos);
        }
    }

    /**
     * Notes a read sent to another node that may take as long as it does, whatever others take. A replica is avoided
     * for such reads only if it answers nothing, and where it was avoided for that, each answer to one is in time.
     */
    public void sentLasting(N replica, long id, long nowNanos) {
        long runningNanos = clock.running(nowNanos);
        RemoteReads reads = readsOf(watched(replica, runningNanos));
        if (reads != null) {
            reads.sentLasting(id, runningNanos);
        }
    }

    private WatchedReplica watched(N replica, long runningNanos) {
        WatchedReplica watched = replicas.get(replica);
        return watched != null ? watched : replicas.computeIfAbsent(replica, r -> begun(r, runningNanos));
    }

    private WatchedReplica begun(N replica, long runningNanos) {
        boolean mayBeCold = cold.mayBeCold(replica, runningNanos);
        RemoteReads reads = new RemoteReads(settings, giveUpNanos, giveUpLastingNanos, mayBeCold, runningNanos);
        return new WatchedReplica(reads, settings, LOOKS_BACK, runningNanos);
    }

    /** Notes an answer of another node, or its refusal; answers to other messages than reads change nothing. */
    public void answered(N replica, long id, long nowNanos) {
        RemoteReads reads = readsOf(replicas.get(replica));
        if (reads != null) {
            reads.answered(id, clock.running(nowNanos));
        }
    }

    /** Another node says that its process hardly runs: it is no help for a node in the same state. Any thread calls. */
    public void saysStarved(N replica, long nowNanos) {
        WatchedReplica watched = replicas.get(replica);
        if (watched != null) {
            watched.starvedNanos = nowNanos;
        }
    }

    /** Whether this node is to say to the coordinators that read from it that its process hardly runs. */
    public boolean isStarved() {
        return noHelp;
    }

    /** Null for this node, and for one that is not watched. */
    private RemoteReads readsOf(WatchedReplica watched) {
        return watched != null && watched.reads instanceof RemoteReads ? (RemoteReads) watched.reads : null;
    }

    /** The replicas to avoid now. */
    public Avoided<N> avoided() {
        return avoided;
    }

    /**
     * Notes the state of this node's read threads, about twenty times a second.
     *
     * @param tasks tasks of the read threads, being served or waiting
     * @param reads single-partition reads ended since the node started
     * @param nanosOfReads the time that these took, without the wait for a thread
     * @param nanosOfOthers the time that the other ended tasks of these threads took, such as range reads
     */
    public void observeLocal(int tasks, long reads, long nanosOfReads, long nanosOfOthers, long nowNanos) {
        long runningNanos = clock.running(nowNanos);
        long lost = nowNanos - runningNanos;
        local.observe(tasks, reads, nanosOfReads, nanosOfOthers, Math.max(0, lost - lostWhenObserved), runningNanos);
        lostWhenObserved = lost;
    }

    /** Notes that a look has ended: while it lasted this process ran. */
    public synchronized void looked(long nowNanos) {
        lostInLookNanos = clock.tick(nowNanos);
    }

    /** Judges all replicas; called each {@link #LOOK_NANOS}. */
    public synchronized void look(long nowNanos) {
        long sinceLast = nowNanos - lookedNanos;
        long lost = clock.tick(nowNanos) + lostInLookNanos;
        lostInLookNanos = 0;
        local.passed(Math.max(0, sinceLast), lost);
        lookedNanos = nowNanos;
        long runningNanos = clock.running(nowNanos);
        noHelp = local.isNoHelp();
        local.leave(left.decide(local, replicas.values(), nowNanos));
        replicas.values().forEach(watched -> watched.see(runningNanos, nowNanos));
        if (outUntilNanos.values().removeIf(until -> nowNanos - until >= 0)) {
            changes.add();
        }
        try {
            // First what ends: who has taken the reads of another has its queue, and is not avoided for it.
            replicas.forEach((replica, watched) -> endIfInVain(replica, watched, runningNanos, nowNanos));
            replicas.forEach((replica, watched) -> decide(replica, watched, runningNanos, nowNanos));
            if (nowNanos - learnedNanos >= SECOND) {
                learnedNanos = nowNanos;
                learn();
            }
        } finally {
            // Also where it cannot be told who might serve: what has been decided is in force.
            changes.settle(this::publish);
        }
    }

    private void learn() {
        GuardSettings present = settings;
        elsewhere.clear();
        replicas.forEach((replica, watched) -> {
            watched.learn(present);
            watched.near = watched.near || mayServe.test(replica);
            elsewhere.add(watched.reads, watched.near);
        });
        replicas.values().forEach(watched -> watched.reads.compareWith(elsewhere));
    }

    private void endIfInVain(N replica, WatchedReplica watched, long runningNanos, long nowNanos) {
        watched.endsInVain = others.areWorseThan(watched, runningNanos, nowNanos);
        if (watched.endsInVain) {
            Avoidance.State before = watched.avoidance.state();
            watched.avoidance.endInVain(runningNanos);
            follow(replica, watched, before, true, runningNanos);
        }
    }

    private void decide(N replica, WatchedReplica watched, long runningNanos, long nowNanos) {
        if (watched.endsInVain) {
            return;
        }
        Avoidance avoidance = watched.avoidance;
        Avoidance.State before = avoidance.state();
        boolean matters = before != Avoidance.State.USED || avoidance.isTroubled(watched.seen);
        boolean anotherIsWell = matters && others.areBetterThan(watched, runningNanos, nowNanos);
        boolean changed = avoidance.decide(watched.seen, anotherIsWell, watched.reads.patienceNanos(), runningNanos);
        follow(replica, watched, before, changed, runningNanos);
    }

    /** Adds what the listener is to hear once the decision is in force. */
    private void follow(N replica, WatchedReplica watched, Avoidance.State before, boolean changed, long runningNanos) {
        Avoidance avoidance = watched.avoidance;
        watched.noteWait(before, runningNanos);
        Avoidance.State after = avoidance.state();
        if (avoidance.takeExcuse()) {
            watched.reads.excuse();
        }
        if (after == Avoidance.State.TRIED && before != after) {
            watched.reads.judgeFrom(runningNanos);
        }
        if (changed && after == Avoidance.State.USED) {
            watched.reads.trust();
            long avoidedNanos = runningNanos - avoidance.sinceNanos();
            changes.add(() -> listener.ended(replica, avoidedNanos));
        } else if (changed) {
            String reason = avoidance.reason();
            changes.add(() -> listener.began(replica, reason));
        }
    }

    private void publish() {
        Map<N, Avoidance> byGuard = new HashMap<>();
        replicas.forEach((replica, watched) -> {
            if (watched.avoidance.state() != Avoidance.State.USED) {
                byGuard.put(replica, watched.avoidance);
            }
        });
        Set<N> out = new HashSet<>(outUntilNanos.keySet());
        avoided = byGuard.isEmpty() && out.isEmpty() ? Avoided.none() : new Avoided<>(byGuard, out);
    }

    /** An operator takes the replica out of reads until that instant, whatever the guard sees of it. */
    public synchronized void takeOut(N replica, long untilNanos) {
        outUntilNanos.put(replica, untilNanos);
        publish();
    }

    /** An operator puts the replica back before its time. */
    public synchronized void putBack(N replica) {
        if (outUntilNanos.remove(replica) != null) {
            publish();
        }
    }

    /** The replica has restarted: it is {@link #forget forgotten}, and not slow for its cold cache. */
    public synchronized void restarted(N replica) {
        cold.restarted(replica);
        drop(replica);
    }

    /** The replica has left: nothing that was seen of it counts any more, and its avoidance ends. */
    public synchronized void forget(N replica) {
        cold.forget(replica);
        drop(replica);
    }

    /** Reads may have been answered unseen: nothing that was seen of any replica counts any more. */
    public synchronized void forgetAll() {
        cold.forgetAll();
        others.forgetAll();
        local.endedUnseen();
        List.copyOf(replicas.keySet()).forEach(this::drop);
        tellOfEnd(
                self, replicas.put(self, new WatchedReplica(local, settings, LOOKS_BACK, clock.running(lookedNanos))));
    }

    private void drop(N replica) {
        if (!replica.equals(self)) {
            tellOfEnd(replica, replicas.remove(replica));
        }
    }

    private void tellOfEnd(N replica, WatchedReplica forgotten) {
        if (forgotten != null && forgotten.avoidance.state() != Avoidance.State.USED) {
            publish();
            listener.ended(replica, clock.running(lookedNanos) - forgotten.avoidance.sinceNanos());
        }
    }

    /** The replicas that this coordinator has read from, itself included: a live view. */
    public Set<N> replicas() {
        return Collections.unmodifiableSet(replicas.keySet());
    }

    /** What the coordinator sees of the replica, or null if it has not read from it. */
    public ReplicaStatus statusOf(N replica, long nowNanos) {
        WatchedReplica watched = replicas.get(replica);
        return watched == null ? null : watched.status(outUntilNanos.containsKey(replica), clock.running(nowNanos));
    }
}
