// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.queue;

import dev.isotherm.common.Allowed;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * What this node believes of one peer's queue depth: the last answer plus the messages sent to the
 * peer since it was asked.
 *
 * <p>Thread safe and lock-free; nothing is allocated for a message or an answer. All instants are of
 * one monotonic clock of the caller's.
 */
/*
 * What the peer has served since is not subtracted and what others sent it is not known, so with
 * FIFO delivery
 *     estimate - depth = served since - others' since + own still on the way,
 * all counted from the moment the peer read its depth. Own messages are never forgotten: that is what
 * keeps a coordinator from sending its whole overflow to a peer that was idle a moment ago.
 */
public final class DepthEstimator {
    private static final int SENT_BITS = 43;
    private static final long SENT_MASK = (1L << SENT_BITS) - 1;
    private static final long NEVER = -1;
    private static final int TIMEOUTS_TO_NEXT_QUESTION = 10;
    private static final VarHandle SENT = field("sent", long.class);
    private static final VarHandle ANSWER = field("answer", long.class);
    private static final VarHandle UNANSWERED = field("unansweredSince", long.class);
    private static final VarHandle ASKED = field("lastAsked", long.class);

    private final int askEvery;
    private final long silenceNanos;
    private final long timeoutNanos;
    private final WaitingRounds waiting = new WaitingRounds();

    private volatile long sent;
    /** Depth above, below it the count of messages sent when the question was. Negative: never answered. */
    private volatile long answer = NEVER;
    /**
     * As of when the answer is. Written after the answer and read before it: who sees the instant sees its answer or a
     * newer one.
     */
    private volatile long answeredNanos;
    /** When the first of the questions without an answer was asked; 0: none is. */
    private volatile long unansweredSince;

    private volatile long lastAsked;

    public DepthEstimator(QueueSettings settings) {
        if (settings == null) {
            throw Allowed.refusal("settings", null, "settings");
        }
        askEvery = settings.askEvery();
        silenceNanos = settings.silenceNanos();
        timeoutNanos = settings.timeoutNanos();
    }

    /** Counts a message to the peer. Choosing a peer counts already ({@link LeaderChoice}, {@link AskRound}). */
    public void sent() {
        SENT.getAndAdd(this, 1L);
    }

    /** How many messages were counted: to be read just before a question is sent and handed back with its answer. */
    public long sentCount() {
        return sent;
    }

    /**
     * Takes the answer to a question. One that is older than what is believed changes no belief; it
     * shows all the same that the peer is alive.
     *
     * @param sentWhenAsked {@link #sentCount()} as it was just before the question was sent
     * @param askedNanos when the question was sent: the depth is no older than that, and a late answer is an old one
     * @return whether it is believed now
     * @throws IllegalArgumentException when the number is no depth, or more had been sent than there are
     */
    public boolean answered(int depth, long sentWhenAsked, long askedNanos, long nowNanos) {
        QueueDepth.requireValid(depth);
        if (sentWhenAsked < 0 || sentWhenAsked > sent) {
            throw Allowed.refusal("sentWhenAsked", sentWhenAsked, "0 to " + sent);
        }
        // An instant yet to come would make every later answer an older one.
        boolean believed = believe(depth, sentWhenAsked, nowNanos - askedNanos < 0 ? nowNanos : askedNanos);
        unansweredSince = 0;
        // After it is clear that nothing is unanswered: who now still joins the waiting asks himself.
        if (estimate(nowNanos) >= 0) {
            waiting.release(nowNanos);
        }
        return believed;
    }

    /**
     * Takes a depth the peer told without being asked, on another message or by gossip. Messages sent
     * before this call are taken to be part of it: of those on their way the estimate is short.
     *
     * @param asOfNanos an instant at which or after which the peer read its depth
     * @return whether it is believed now
     * @throws IllegalArgumentException when the number is no depth
     */
    public boolean reported(int depth, long asOfNanos, long nowNanos) {
        return answered(depth, sent, asOfNanos, nowNanos);
    }

    private boolean believe(int depth, long sentWhenAsked, long asOfNanos) {
        long word = (long) depth << SENT_BITS | sentWhenAsked & SENT_MASK;
        for (; ; ) {
            long before = answer;
            boolean older = before != NEVER
                    && (asOfNanos - answeredNanos < 0 || (sentWhenAsked - before & SENT_MASK) > SENT_MASK / 2);
            if (older) {
                return false;
            }
            if (ANSWER.compareAndSet(this, before, word)) {
                answeredNanos = asOfNanos;
                return true;
            }
        }
    }

    /**
     * The depth believed, at most {@link QueueDepth#MAX}; {@link QueueDepth#UNKNOWN} when the peer has been silent for
     * too long.
     */
    public int estimate(long nowNanos) {
        long asOf = answeredNanos;
        long word = answer;
        return word < 0 || nowNanos - asOf >= silenceNanos
                ? QueueDepth.UNKNOWN
                : QueueDepth.ofCount((word >> SENT_BITS) + sentSince(word));
    }

    private long sentSince(long word) {
        return sent - word & SENT_MASK;
    }

    /**
     * The estimate if it can stand for an answer given now, else {@link QueueDepth#UNKNOWN}. One that
     * is below the limit can for as long as fewer than twice {@link QueueSettings#askEvery()} messages
     * were sent since. One that reaches the limit only because of those cannot, because the peer may
     * have served them.
     */
    int freshEstimate(int softLimit, long nowNanos) {
        long asOf = answeredNanos;
        long word = answer;
        if (word < 0 || nowNanos - asOf >= silenceNanos) {
            return QueueDepth.UNKNOWN;
        }
        long since = sentSince(word);
        long depth = word >> SENT_BITS;
        boolean fresh = since < 2L * askEvery && (depth >= softLimit || depth + since < softLimit);
        return fresh ? QueueDepth.ofCount(depth + since) : QueueDepth.UNKNOWN;
    }

    /** Age of the answer believed, or last believed, in nanoseconds, 0 or above; -1 when there was none. */
    public long ageNanos(long nowNanos) {
        long asOf = answeredNanos;
        return answer < 0 ? -1 : Math.max(0, nowNanos - asOf);
    }

    /** The last answer alone; {@link QueueDepth#UNKNOWN} when there was none. */
    public int lastAnswer() {
        long word = answer;
        return word < 0 ? QueueDepth.UNKNOWN : (int) (word >> SENT_BITS);
    }

    /**
     * Whether the answer believed has served its time: there was none, so many messages were sent
     * since that it is due again, or half the silence has passed after which it no longer counts.
     */
    boolean isDue(long nowNanos) {
        long asOf = answeredNanos;
        long word = answer;
        return word < 0 || sentSince(word) >= askEvery || nowNanos - asOf >= silenceNanos / 2;
    }

    /**
     * Whether a question has gone without an answer for the timeout, and nothing was heard since:
     * nobody waits for such a peer. Whatever it says ends its silence.
     */
    public boolean isSilent(long nowNanos) {
        long since = unansweredSince;
        return since != 0 && nowNanos - since >= timeoutNanos;
    }

    /**
     * Claims the question to the peer. It is true for one caller, who must send one, and false for
     * others until there is an answer; a silent peer is asked again after ten timeouts.
     */
    public boolean claimQuestion(long nowNanos) {
        if (unansweredSince == 0) {
            lastAsked = nowNanos;
            return UNANSWERED.compareAndSet(this, 0L, nowNanos == 0 ? 1 : nowNanos);
        }
        long asked = lastAsked;
        if (nowNanos - asked < TIMEOUTS_TO_NEXT_QUESTION * timeoutNanos) {
            return false;
        }
        if (!ASKED.compareAndSet(this, asked, nowNanos)) {
            return false;
        }
        waiting.dropSettled();
        return true;
    }

    /**
     * A question failed: it could not be sent, or what came back is no answer, as from a node without
     * the plugin. The peer is silent from now on, and no round waits for it any more.
     */
    public void failed(long nowNanos) {
        long since = nowNanos - timeoutNanos;
        lastAsked = nowNanos;
        unansweredSince = since == 0 ? -1 : since;
        waiting.fail(nowNanos);
    }

    /** Lets a round hear of the peer's next answer. */
    void await(AskRound round, int index) {
        waiting.add(round, index);
    }

    private static VarHandle field(String name, Class<?> type) {
        try {
            return MethodHandles.lookup().findVarHandle(DepthEstimator.class, name, type);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
