// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.queue;

import dev.isotherm.common.Allowed;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * One decision that waits for peers to tell their queue depth: the first one with a short queue gets
 * the write.
 *
 * <p>{@link #open} says which peers to ask. From then on the round hears by itself of each answer and
 * report its candidates' estimators take, and of each question that fails; the caller says when the
 * timeout has passed. The round settles once, whatever comes in whatever order. Thread safe, without a lock.
 */
/*
 * Rounds that ask the same peer at the same time share one question. Its answer releases them one
 * after the other, and each that takes the peer counts its own message before the next looks: a
 * hundred rounds do not all fall upon a queue that had room for ten.
 */
public final class AskRound {
    private static final VarHandle PEERS = field("peers", long.class);
    private static final VarHandle DECISION = field("decision", int.class);

    private final QueueSettings settings;
    private final DepthEstimator[] candidates;
    private final int localDepth;
    private final int random;
    private final Runnable onSettled;

    /** Bit i: candidate i has yet to answer. Bit 32 + i: it has answered, its queue is long. */
    private volatile long peers;

    private volatile int decision = LeaderDecision.UNDECIDED;
    private volatile long deadlineNanos;

    /**
     * @param candidates as for {@link LeaderChoice#decide}; what is needed is copied
     * @param onSettled run once when the round settles, unless {@link #open} settles it, by the thread
     *     that brings the last word; it must be short and must not throw; null: nothing
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
     * Opens the round; to be called once. Then look at {@link #decision()}: it may be there already.
     *
     * @return the candidates that the caller must send a question, candidate i as bit i; others of
     *     which an answer is awaited have been asked by another round
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
        // Before any estimator knows of this round, and so before anything can be heard.
        peers = state;
        int toAsk = 0;
        for (int i = 0; i < candidates.length; i++) {
            if ((state & pendingBit(i)) == 0) {
                continue;
            }
            // Await first: an answer that comes in between is heard, one that came before leaves the question
            // unclaimed.
            candidates[i].await(this, i);
            if (candidates[i].claimQuestion(nowNanos)) {
                toAsk |= 1 << i;
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
        // Settle before it counts as answered: else another's answer could conclude that none is short.
        if (depth < settings.softLimit()) {
            settleAndTell(LeaderDecision.of(DecisionKind.REDIRECTED, index));
        } else {
            answeredOrNot(index, answeredBit(index), nowNanos);
        }
    }

    /** A candidate cannot answer this round; {@link DepthEstimator#failed} tells all that wait for it. */
    void failed(int index, long nowNanos) {
        if (index < 0 || index >= candidates.length) {
            throw Allowed.refusal("index", index, "0 to " + (candidates.length - 1));
        }
        answeredOrNot(index, 0, nowNanos);
    }

    private void answeredOrNot(int index, long answered, long nowNanos) {
        long before;
        long after;
        do {
            before = peers;
            if ((before & pendingBit(index)) == 0) {
                return;
            }
            after = before & ~pendingBit(index) | answered;
        } while (!PEERS.compareAndSet(this, before, after));
        if ((int) after == 0) {
            settleAndTell(conclusion(after, DecisionKind.RANDOM, nowNanos));
        }
    }

    /**
     * The timeout has passed: decides by what was heard.
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

    /** A {@link LeaderDecision}: {@link LeaderDecision#UNDECIDED} for as long as the round waits. */
    public int decision() {
        return decision;
    }

    public boolean isSettled() {
        return decision != LeaderDecision.UNDECIDED;
    }

    /** When {@link #timedOut} is due. */
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
