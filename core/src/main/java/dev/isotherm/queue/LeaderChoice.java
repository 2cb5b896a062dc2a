// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.queue;

import dev.isotherm.common.Allowed;

/**
 * Chooses the leader of a write at once, by this node's own queue and the estimates of its peers' queues. Thread safe,
 * lock-free, allocation-free.
 *
 * <p>If this node's queue is short, this node leads; unless none of its threads is free, and a fresh estimate of a peer
 * is below three quarters of its queue. Otherwise a fresh estimate counts as an answer: a replica with a short queue
 * leads; of several, the shorter of two drawn at random. On a node that is no replica an old answer counts too, where
 * there is no fresh short one. If all queues are long and no peer is worth asking, this node leads if it is a replica
 * and its queue is at most twice as long as the shortest; otherwise the replica with the shortest queue leads.
 */
/*
 * The shorter of two at random, not the shortest of all: coordinators with the same knowledge would all choose the same
 * replica. With two choices queues stay short although the information is out of date (Mitzenmacher, How Useful Is Old
 * Information?, 2000), and a slow replica is chosen only while its queue is no longer than another's.
 *
 * Where few writes are coordinated, every answer is older than it may be by the time of the next write. A node that is
 * no replica would wait for new ones each time, a round trip for each write. The peers are asked after each decision
 * anyway, so an old answer is what the last write could know: a queue that was short then is the best guess, and what
 * has changed since is known at the next write. A node with a long queue of its own does wait: its write would wait for
 * longer in that queue. So does a node that has only heard of long queues.
 *
 * While a thread is free here, a write is served at once, and no other replica can do better. Without one it waits,
 * while others may be idle: where one node coordinates for all, they lead nothing else. Three quarters, so that nodes
 * with about as much to do do not lead each other's writes: each costs a message and its answer, and waits no less. By
 * nine tenths they would swap a tenth or more; by a half one coordinator would keep so many that fewer threads serve
 * than with random leaders.
 *
 * Riak's rule keeps the write on this node whenever all queues are long. A slow node then takes all writes that it
 * coordinates as soon as the others' queues reach the limit, and its own queue grows without bound.
 */
public final class LeaderChoice {
    /** The most candidates: their indices fit the bits of an int. */
    public static final int MAX_CANDIDATES = 31;

    private static final int LOCAL_PREFERENCE = 2;

    private volatile QueueSettings settings;

    public LeaderChoice(QueueSettings settings) {
        if (settings == null) {
            throw Allowed.refusal("settings", null, "settings");
        }
        this.settings = settings;
    }

    /** Follows other settings from the next decision on. */
    public void use(QueueSettings changed) {
        settings = changed;
    }

    public QueueSettings settings() {
        return settings;
    }

    /**
     * Whether this node is a replica with a short queue that serves the next write at once. The node then leads, and
     * its peers need not be looked up.
     */
    public boolean staysHere(int localDepth, boolean hasFreeThread) {
        return hasFreeThread && isShort(localDepth);
    }

    private boolean isShort(int depth) {
        return depth >= 0 && depth < settings.softLimit();
    }

    /**
     * Decides, of a write for which {@link #staysHere} is false, or returns {@link LeaderDecision#UNDECIDED} when peers
     * must be asked. A chosen peer's message is counted ({@link DepthEstimator#sent}).
     *
     * @param candidates the estimators of the other live replicas; only the first {@code count} are read
     * @param count 0 to {@link #MAX_CANDIDATES}, 1 or above on a node that is no replica
     * @param localDepth this node's queue, or {@link QueueDepth#UNKNOWN} when it is no replica
     * @param random any 32 random bits
     * @return a {@link LeaderDecision}
     * @throws IllegalArgumentException when count is not in its range
     */
    public int decide(DepthEstimator[] candidates, int count, int localDepth, int random, long nowNanos) {
        checkCount(count, localDepth);
        int decision = isShort(localDepth)
                ? hereOrShorter(candidates, count, localDepth, random, nowNanos)
                : decideByPeers(candidates, count, localDepth, random, nowNanos);
        int target = LeaderDecision.target(decision);
        if (target >= 0) {
            candidates[target].sent();
        }
        return decision;
    }

    /**
     * Claims the questions to send in the background after a decision, so that the next decisions find fresh estimates.
     * The questions go to all candidates whose answers are due for renewal, not only to those that get writes:
     * otherwise only those would be known, and they would get all writes.
     *
     * @return the candidates that the caller must send a question, candidate i as bit i
     */
    public int claimQuestions(DepthEstimator[] candidates, int count, long nowNanos) {
        int claimed = 0;
        for (int i = 0; i < count; i++) {
            if (candidates[i].isDue(nowNanos) && candidates[i].claimQuestion(nowNanos)) {
                claimed |= 1 << i;
            }
        }
        return claimed;
    }

    private int hereOrShorter(DepthEstimator[] candidates, int count, int localDepth, int random, long nowNanos) {
        int softLimit = settings.softLimit();
        int shorter = 0;
        for (int i = 0; i < count; i++) {
            int depth = candidates[i].freshEstimate(softLimit, nowNanos);
            if (depth >= 0 && 4L * depth < 3L * localDepth && !candidates[i].isSilent(nowNanos)) {
                shorter |= 1 << i;
            }
        }
        return shorter == 0
                ? LeaderDecision.of(DecisionKind.LOCAL, LeaderDecision.HERE)
                : redirection(candidates, shorter, random, nowNanos);
    }

    private int decideByPeers(DepthEstimator[] candidates, int count, int localDepth, int random, long nowNanos) {
        int softLimit = settings.softLimit();
        int shorts = 0;
        int answered = 0;
        boolean worthAsking = false;
        for (int i = 0; i < count; i++) {
            int depth = candidates[i].freshEstimate(softLimit, nowNanos);
            if (depth >= 0) {
                answered |= 1 << i;
            } else if (!candidates[i].isSilent(nowNanos)) {
                worthAsking = true;
            }
            if (depth >= 0 && depth < softLimit) {
                shorts |= 1 << i;
            }
        }
        if (shorts == 0 && localDepth < 0) {
            shorts = rememberedShorts(candidates, count, nowNanos);
        }
        if (shorts != 0) {
            return redirection(candidates, shorts, random, nowNanos);
        }
        return worthAsking && (localDepth >= 0 || count > 1)
                ? LeaderDecision.UNDECIDED
                : withoutShort(candidates, count, answered, localDepth, random, DecisionKind.RANDOM, nowNanos);
    }

    /** The candidates whose queue was short when they last answered; not those that have become silent since. */
    private int rememberedShorts(DepthEstimator[] candidates, int count, long nowNanos) {
        int softLimit = settings.softLimit();
        int shorts = 0;
        for (int i = 0; i < count; i++) {
            int depth = candidates[i].rememberedEstimate(softLimit);
            if (depth >= 0 && depth < softLimit && !candidates[i].isSilent(nowNanos)) {
                shorts |= 1 << i;
            }
        }
        return shorts;
    }

    static void checkCount(int count, int localDepth) {
        int least = localDepth >= 0 ? 0 : 1;
        if (count < least || count > MAX_CANDIDATES) {
            throw Allowed.refusal("count", count, least + " to " + MAX_CANDIDATES);
        }
    }

    /**
     * The decision if no queue is known to be short.
     *
     * @param answered bit i: candidate i has said that its queue is long
     * @param kindOfRandom the kind of a random choice, when no candidate has answered
     */
    static int withoutShort(
            DepthEstimator[] candidates,
            int count,
            int answered,
            int localDepth,
            int random,
            DecisionKind kindOfRandom,
            long nowNanos) {
        if (answered != 0) {
            int shortest = shortest(candidates, answered, random, nowNanos);
            long depth = candidates[shortest].estimate(nowNanos);
            boolean here = localDepth >= 0 && (depth < 0 || localDepth <= LOCAL_PREFERENCE * depth);
            return here
                    ? LeaderDecision.of(DecisionKind.LOCAL_OVER_LIMIT, LeaderDecision.HERE)
                    : LeaderDecision.of(DecisionKind.LEAST_LOADED, shortest);
        }
        if (count == 0) {
            return LeaderDecision.of(DecisionKind.LOCAL_OVER_LIMIT, LeaderDecision.HERE);
        }
        int drawn = below(random >>> 16, localDepth >= 0 ? count + 1 : count);
        return LeaderDecision.of(kindOfRandom, drawn == count ? LeaderDecision.HERE : drawn);
    }

    /** A redirection to the shorter of two drawn from these candidates. */
    static int redirection(DepthEstimator[] candidates, int among, int random, long nowNanos) {
        return LeaderDecision.of(DecisionKind.REDIRECTED, shorterOfTwo(candidates, among, random, nowNanos));
    }

    private static int shorterOfTwo(DepthEstimator[] candidates, int among, int random, long nowNanos) {
        int size = Integer.bitCount(among);
        int first = nth(among, below(random >>> 16, size));
        if (size == 1) {
            return first;
        }
        int second = nth(among & ~(1 << first), below(random & 0xffff, size - 1));
        return candidates[second].estimate(nowNanos) < candidates[first].estimate(nowNanos) ? second : first;
    }

    /** The candidate with the shortest queue; of equal ones the first in a circle that starts at random. */
    private static int shortest(DepthEstimator[] candidates, int among, int random, long nowNanos) {
        int start = nth(among, below(random >>> 16, Integer.bitCount(among)));
        int best = start;
        int bestDepth = Integer.MAX_VALUE;
        int upwards = among & -1 << start;
        for (int left = upwards; left != 0; ) {
            int i = Integer.numberOfTrailingZeros(left);
            int depth = candidates[i].estimate(nowNanos);
            if (depth >= 0 && depth < bestDepth) {
                best = i;
                bestDepth = depth;
            }
            left &= left - 1;
            if (left == 0 && (upwards & 1 << i) != 0) {
                left = among & ~upwards;
            }
        }
        return best;
    }

    private static int nth(int bits, int n) {
        for (; n > 0; n--) {
            bits &= bits - 1;
        }
        return Integer.numberOfTrailingZeros(bits);
    }

    /** A number from 0 to bound - 1 from 16 random bits; for at most 32 numbers uniform to within 0.05 %. */
    private static int below(int bits16, int bound) {
        return bits16 * bound >>> 16;
    }
}
