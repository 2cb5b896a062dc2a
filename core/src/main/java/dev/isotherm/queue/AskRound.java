// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.queue;

import dev.isotherm.common.Allowed;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * A decision that waits for the queue depths of peers: the first peer with a short queue leads the write.
 *
 * <p>{@link #open} returns the peers to ask. From then on the candidates' estimators notify the round of each answer,
 * report and failed question; the caller calls {@link #timedOut} at the deadline. The round settles once, for every
 * order of events. Thread safe, lock-free.
 */
/*
 * Rounds that ask the same peer at the same time share one question. Its answer releases them one after the other, and
 * a round that chooses the peer counts its message before the next round looks: a hundred rounds do not all choose a
 * queue that had room for ten.
 */
public final class AskRound {
    private static final VarHandle PEERS = field("peers", long.class);
    private static final VarHandle DECISION = field("decision", int.class);

    private final QueueSettings settings;
    private final DepthEstimator[] candidates;
    private final int localDepth;
    private final int random;
    private final Runnable onSettled;

    /** Bit i: candidate i has not answered yet. Bit 32 + i: candidate i has answered, and its queue is long. */
    private volatile long peers;

    private volatile int decision = LeaderDecision.UNDECIDED;
    private volatile long deadlineNanos;

    /**
     * @param candidates as for {@link LeaderChoice#decide}; the array is copied
     * @param onSettled run once when the round settles, unless {@link #open} settles it, by the thread of the deciding
     *     event; it must be short and must not throw; null: nothing runs
     */
    public AskRound(
            LeaderChoice choice,
            DepthEstimator[] candidates,
            int count,
            int localDepth,
            int random,
            Runnable onSettled) {
        LeaderChoice.checkCount(count, localDepth);
        this.settings = choice.settings();
        this.candidates = Arrays.copyOf(candidates, count);
        this.localDepth = localDepth;
        this.random = random;
        this.onSettled = onSettled;
    }

    /**
     * Opens the round; call it once. The round may be settled when it returns: see {@link #decision()}.
     *
     * @return the candidates that the caller must send a question, candidate i as bit i; another round has asked the
     *     others whose answer is awaited
     */
    public int open(long nowNanos) {
        deadlineNanos = nowNanos + settings.timeoutNanos();
        long state = 0;
        int shorts = 0;
        for (int i = 0; i < candidates.length; i++) {
            int depth = candidates[i].freshEstimate(settings.softLimit(), nowNanos);
            if (depth >= settings.softLimit()) {
                state |= answeredBit(i);
            } else if (depth >= 0) {
                shorts |= 1 << i;
            } else if (!candidates[i].isSilent(nowNanos)) {
                state |= pendingBit(i);
            }
        }
        if (shorts != 0) {
            settle(LeaderChoice.redirection(candidates, shorts, random, nowNanos));
            return 0;
        }
        // Set before any estimator knows of this round, and so before any answer can arrive.
        peers = state;
        int toAsk = 0;
        for (int i = 0; i < candidates.length; i++) {
            if ((state & pendingBit(i)) == 0) {
                continue;
            }
            // Await first: an answer in between reaches the round; after an earlier answer the question is still
            // unclaimed.
            candidates[i].await(this, i);
            if (candidates[i].claimQuestion(nowNanos)) {
                toAsk |= 1 << i;
            } else if (candidates[i].isSilent(nowNanos) && isLast(i, 0)) {
                // Its question failed before this round was there to be told.
                settle(conclusion(peers, DecisionKind.RANDOM, nowNanos));
            }
        }
        if ((int) state == 0) {
            settle(conclusion(state, DecisionKind.RANDOM, nowNanos));
        }
        return toAsk;
    }

    /** A candidate's estimator has a new answer. */
    void heard(int index, long nowNanos) {
        int depth = candidates[index].estimate(nowNanos);
        if (isSettled() || depth < 0) {
            return;
        }
        // Settle before the answer is recorded: otherwise another answer could conclude that no queue is short.
        if (depth < settings.softLimit()) {
            settleAndTell(LeaderDecision.of(DecisionKind.REDIRECTED, index));
        } else {
            noted(index, answeredBit(index), nowNanos);
        }
    }

    /** A candidate cannot answer this round; {@link DepthEstimator#failed} notifies all rounds that wait for it. */
    void failed(int index, long nowNanos) {
        if (index < 0 || index >= candidates.length) {
            throw Allowed.refusal("index", index, "0 to " + (candidates.length - 1));
        }
        noted(index, 0, nowNanos);
    }

    private void noted(int index, long answered, long nowNanos) {
        if (isLast(index, answered)) {
            settleAndTell(conclusion(peers, DecisionKind.RANDOM, nowNanos));
        }
    }

    /** Notes that a candidate has answered, or cannot: whether it was the last one awaited; none changes then. */
    private boolean isLast(int index, long answered) {
        long before;
        long after;
        do {
            before = peers;
            if ((before & pendingBit(index)) == 0) {
                return false;
            }
            after = before & ~pendingBit(index) | answered;
        } while (!PEERS.compareAndSet(this, before, after));
        return (int) after == 0;
    }

    /**
     * The timeout has passed: decides by the answers so far.
     *
     * @return whether this settled the round; false when an answer came first
     */
    public boolean timedOut(long nowNanos) {
        return !isSettled() && settleAndTell(conclusion(peers, DecisionKind.TIMED_OUT, nowNanos));
    }

    private int conclusion(long state, DecisionKind kindOfRandom, long nowNanos) {
        return LeaderChoice.withoutShort(
                candidates, candidates.length, (int) (state >>> 32), localDepth, random, kindOfRandom, nowNanos);
    }

    private boolean settle(int settled) {
        if (!DECISION.compareAndSet(this, LeaderDecision.UNDECIDED, settled)) {
            return false;
        }
        int target = LeaderDecision.target(settled);
        if (target >= 0) {
            candidates[target].sent();
        }
        return true;
    }

    private boolean settleAndTell(int settled) {
        if (!settle(settled)) {
            return false;
        }
        if (onSettled != null) {
            onSettled.run();
        }
        return true;
    }

    /** A {@link LeaderDecision}; {@link LeaderDecision#UNDECIDED} while the round waits. */
    public int decision() {
        return decision;
    }

    public boolean isSettled() {
        return decision != LeaderDecision.UNDECIDED;
    }

    /** The instant at which {@link #timedOut} is due. */
    public long deadlineNanos() {
        return deadlineNanos;
    }

    private static long pendingBit(int index) {
        return 1L << index;
    }

    private static long answeredBit(int index) {
        return 1L << 32 + index;
    }

    private static VarHandle field(String name, Class<?> type) {
        try {
            return MethodHandles.lookup().findVarHandle(AskRound.class, name, type);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
