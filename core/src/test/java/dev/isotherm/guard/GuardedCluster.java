// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** One coordinator's guard and two other replicas, whose reads and answers a test plays look by look. */
final class GuardedCluster {
    static final long MS = 1_000_000;
    static final long SECOND = 1_000_000_000;
    static final String SELF = "self";
    static final String A = "a";
    static final String B = "b";

    /** What the guard told, one line for each beginning and end; durations in milliseconds. */
    final List<String> log = new ArrayList<>();

    final ReadGuard<String> guard;
    /** The clock wraps three seconds after the beginning. */
    long now = Long.MAX_VALUE - 3 * SECOND;

    /** Nodes that are dead, or of another datacenter. */
    final Set<String> cannotServe = new HashSet<>();
    /** Whether asking which nodes these are throws. */
    boolean cannotTell;

    private final Map<String, Integer> sent = new HashMap<>();
    private long messages;
    private long localReads;
    private long localNanos;

    GuardedCluster(GuardSettings settings, long giveUpNanos) {
        guard = new ReadGuard<>(
                settings, SELF, () -> giveUpNanos, () -> 2 * giveUpNanos, this::mayServe, new Log(), now);
    }

    private boolean mayServe(String node) {
        if (cannotTell) {
            throw new IllegalStateException("on purpose");
        }
        return !cannotServe.contains(node);
    }

    private final class Log implements ReadGuard.Listener<String> {
        @Override
        public void began(String replica, String reason) {
            assertNotEquals(ReplicaRanks.USED, rank(replica), "told before it was in force");
            log.add(replica + ": " + reason);
        }

        @Override
        public void ended(String replica, long afterNanos) {
            log.add(replica + " used after " + afterNanos / MS);
        }
    }

    int rank(String replica) {
        return guard.avoided().rankOf(replica, false);
    }

    /** Whether a read goes to the replica: it is used, or waits for a trial. */
    boolean isRead(String replica) {
        return rank(replica) == ReplicaRanks.USED
                || replica.equals(guard.avoided().claimTrial(replica::equals));
    }

    int sent(String replica) {
        return sent.getOrDefault(replica, 0);
    }

    /** Sends a read; returns the number of its message. */
    long send(String replica) {
        sent.merge(replica, 1, Integer::sum);
        guard.sent(replica, ++messages, now);
        return messages;
    }

    /** Sends as many reads as silence takes to show soon. */
    void sendTwo(String replica) {
        send(replica);
        send(replica);
    }

    /** Sends a read that may take as long as it does; returns the number of its message. */
    long sendLasting(String replica) {
        guard.sentLasting(replica, ++messages, now);
        return messages;
    }

    /** A read that was sent so long ago and is answered now. */
    void read(String replica, long roundTripNanos) {
        sent.merge(replica, 1, Integer::sum);
        guard.sent(replica, ++messages, now - roundTripNanos);
        guard.answered(replica, messages, now);
    }

    /** As many reads as make a replica late, answered after 31 ms. */
    void late(String replica) {
        for (int i = 0; i < Lateness.LEAST_LATE; i++) {
            read(replica, 31 * MS);
        }
    }

    /** Reads sent to the replica that have waited for so long by now; returns the number of the last message. */
    long waiting(String replica, int reads, long nanos) {
        now -= nanos;
        long last = 0;
        for (int i = 0; i < reads; i++) {
            last = send(replica);
        }
        now += nanos;
        return last;
    }

    /** Looks; whether the replica is avoided then. */
    boolean isAvoided(String replica) {
        guard.look(now);
        return rank(replica) != ReplicaRanks.USED;
    }

    /** Looks; before each, each of these replicas answers a read after 5 ms. */
    void looksOfAnswers(int looks, String... replicas) {
        for (int look = 0; look < looks; look++) {
            now += ReadGuard.LOOK_NANOS;
            for (String replica : replicas) {
                read(replica, 5 * MS);
            }
            guard.look(now);
        }
    }

    /** Two seconds in which this node serves three reads before each look, in 1 ms each. */
    void learnTheUsualHere() {
        for (int look = 0; look < 200; look++) {
            now += ReadGuard.LOOK_NANOS;
            serveLocally(3, MS);
            guard.look(now);
        }
    }

    /** Looks; before each, this node has served three reads in a second each, where they usually take 1 ms. */
    void looksOfLateLocalReads(int looks) {
        for (int look = 0; look < looks; look++) {
            now += ReadGuard.LOOK_NANOS;
            serveLocally(3, SECOND);
            guard.look(now);
        }
    }

    /** Seconds in which this node serves three reads before each look, in so long each, and others one in 5 ms. */
    void serveSeconds(int seconds, long nanosEach, String... others) {
        for (int look = 0; look < 100 * seconds; look++) {
            serveLocally(3, nanosEach);
            looksOfAnswers(1, others);
        }
    }

    /** This node has served reads, each in so long, and nobody was told. */
    void serveUnseen(int reads, long nanosEach) {
        localReads += reads;
        localNanos += reads * nanosEach;
    }

    void serveLocally(int reads, long nanosEach) {
        serveWhileBusy(0, reads, nanosEach);
    }

    /** This node has served reads, each in so long, and now so many are served or wait. */
    void serveWhileBusy(int tasks, int reads, long nanosEach) {
        serveUnseen(reads, nanosEach);
        guard.observeLocal(tasks, localReads, localNanos, 0, now);
    }

    /** Three seconds of reads, after which the patience with both other replicas is the least: 30 ms. */
    void learnTheUsual() {
        looksOfAnswers(301, A, B);
    }
}
