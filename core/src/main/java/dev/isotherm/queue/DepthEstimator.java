// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.queue;

import dev.isotherm.common.Allowed;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * This node's estimate of one peer's queue depth: the last answer plus the messages sent to the peer since the
 * question.
 *
 * <p>Thread safe and lock-free; nothing is allocated for a message or an answer. All instants are of one monotonic
 * clock.
 */
/*
 * Messages that the peer has served since are not subtracted, and messages of other nodes are unknown,
 * so with FIFO delivery
 *     estimate - depth = served since - others' since + own still on the way,
 * all counted from the moment the peer read its depth. Own messages always count: they keep a
 * coordinator from sending its whole overflow to a peer that was idle a moment ago.
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

    private volatile QueueSettings settings;
    private final WaitingRounds waiting = new WaitingRounds();

    private volatile long sent;
    /**
     * High bits: the depth; low bits: the count of messages sent at the time of the question. Negative: no answer yet.
     */
    private volatile long answer = NEVER;
    /**
     * The instant of the answer. Written after the answer and read before it: a reader of the instant sees its answer
     * or a newer one, unless two threads take in two answers at one moment; then either may stand with either instant.
     */
    private volatile long answeredNanos;
    /** The instant of the first question without an answer; 0: no question is unanswered. */
    private volatile long unansweredSince;

    private volatile long lastAsked;
    /** The instant of the last answer or report of any age; where it is not known, 0. */
    private volatile long heardNanos;

    public DepthEstimator(QueueSettings settings) {
        if (settings == null) {
            throw Allowed.refusal("settings", null, "settings");
        }
        this.settings = settings;
    }

    /** Follows other settings from now on. */
    public void use(QueueSettings changed) {
        settings = changed;
    }

    /**
     * Counts a message to the peer. {@link LeaderChoice} and {@link AskRound} count the message when they choose a
     * peer.
     */
    public void sent() {
        SENT.getAndAdd(this, 1L);
    }

    /** The number of messages counted. Read it just before a question is sent, and pass it with the answer. */
    public long sentCount() {
        return sent;
    }

    /**
     * Takes the answer to a question. An answer older than the one believed changes no estimate, but shows that the
     * peer is alive.
     *
     * @param sentWhenAsked {@link #sentCount()} just before the question was sent
     * @param askedNanos the instant of the question: the depth is no older, so that a late answer counts as an old one
     * @return whether it is believed now
     * @throws IllegalArgumentException when the number is no depth, or more had been sent than there are
     */
    public boolean answered(int depth, long sentWhenAsked, long askedNanos, long nowNanos) {
        QueueDepth.requireValid(depth);
        if (sentWhenAsked < 0 || sentWhenAsked > sent) {
            throw Allowed.refusal("sentWhenAsked", sentWhenAsked, "0 to " + sent);
        }
        // An instant in the future would make every later answer an older one.
        boolean believed = believe(depth, sentWhenAsked, nowNanos - askedNanos < 0 ? nowNanos : askedNanos);
        heardNanos = nowNanos;
        unansweredSince = 0;
        // Released after unansweredSince is cleared: a round that joins from now on asks by itself.
        // By what was known before they are released only if they would not ask for it.
        if ((believed ? estimate(nowNanos) : freshEstimate(settings.softLimit(), nowNanos)) >= 0) {
            waiting.release(nowNanos);
        } else {
            // Of a peer that always answers too late, those that no longer wait would be kept for good.
            waiting.dropSettled();
        }
        return believed;
    }

    /**
     * Takes a depth that the peer reported without a question, on another message or by gossip. The depth is taken to
     * include all messages sent before this call, so the estimate is too low by those still on their way.
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
     * The estimated depth, at most {@link QueueDepth#MAX}; {@link QueueDepth#UNKNOWN} when the last answer is too old.
     */
    public int estimate(long nowNanos) {
        long asOf = answeredNanos;
        long word = answer;
        return word < 0 || nowNanos - asOf >= settings.silenceNanos()
                ? QueueDepth.UNKNOWN
                : QueueDepth.ofCount((word >> SENT_BITS) + sentSince(word));
    }

    private long sentSince(long word) {
        return sent - word & SENT_MASK;
    }

    /**
     * The estimate if it can stand for an answer given now, else {@link QueueDepth#UNKNOWN}. An estimate below the
     * limit is fresh while fewer than twice {@link QueueSettings#askEvery()} messages were sent since the answer. An
     * estimate that reaches the limit only by those messages is not fresh, because the peer may have served them.
     */
    int freshEstimate(int softLimit, long nowNanos) {
        long asOf = answeredNanos;
        long word = answer;
        return nowNanos - asOf >= settings.silenceNanos() ? QueueDepth.UNKNOWN : estimateAtAnyAge(softLimit, word);
    }

    /**
     * As {@link #freshEstimate}, however old the answer is: what is known of the peer, if no newer answer can be had
     * without a wait. {@link QueueDepth#UNKNOWN} if there was no answer.
     */
    int rememberedEstimate(int softLimit) {
        return estimateAtAnyAge(softLimit, answer);
    }

    private int estimateAtAnyAge(int softLimit, long word) {
        if (word < 0) {
            return QueueDepth.UNKNOWN;
        }
        long since = sentSince(word);
        long depth = word >> SENT_BITS;
        boolean fresh = since < 2L * settings.askEvery() && (depth >= softLimit || depth + since < softLimit);
        return fresh ? QueueDepth.ofCount(depth + since) : QueueDepth.UNKNOWN;
    }

    /** The age of the last believed answer in nanoseconds, 0 or above; -1 if there was none. */
    public long ageNanos(long nowNanos) {
        long asOf = answeredNanos;
        return answer < 0 ? -1 : Math.max(0, nowNanos - asOf);
    }

    /** The last answer alone; {@link QueueDepth#UNKNOWN} if there was none. */
    public int lastAnswer() {
        long word = answer;
        return word < 0 ? QueueDepth.UNKNOWN : (int) (word >> SENT_BITS);
    }

    /**
     * Whether the answer is due for renewal: there was none, {@code askEvery} messages were sent since, or it has
     * reached half the age at which it no longer counts.
     */
    boolean isDue(long nowNanos) {
        long asOf = answeredNanos;
        long word = answer;
        return word < 0 || sentSince(word) >= settings.askEvery() || nowNanos - asOf >= settings.silenceNanos() / 2;
    }

    /**
     * Whether a question has had no answer for the timeout, and no answer or report came since. No decision waits for a
     * silent peer; any answer or report ends the silence.
     */
    public boolean isSilent(long nowNanos) {
        long since = unansweredSince;
        return since != 0 && nowNanos - since >= settings.timeoutNanos();
    }

    /**
     * Claims the question to the peer. One caller gets true and must send a question; others get false until there is
     * an answer. A silent peer is asked again after ten timeouts.
     */
    public boolean claimQuestion(long nowNanos) {
        if (unansweredSince == 0) {
            lastAsked = nowNanos;
            return UNANSWERED.compareAndSet(this, 0L, nowNanos == 0 ? 1 : nowNanos);
        }
        long asked = lastAsked;
        if (nowNanos - asked < TIMEOUTS_TO_NEXT_QUESTION * settings.timeoutNanos()) {
            return false;
        }
        if (!ASKED.compareAndSet(this, asked, nowNanos)) {
            return false;
        }
        waiting.dropSettled();
        return true;
    }

    /**
     * A question failed: it could not be sent, the reply was not an answer, as from a node without the plugin, or none
     * is expected any more. The peer is silent from now on, and no round waits for it any more; unless something came
     * from it since the question.
     */
    public void failed(long askedNanos, long nowNanos) {
        long heard = heardNanos;
        if (heard != 0 && heard - askedNanos > 0) {
            return;
        }
        // One timeout more: who has read the clock somewhat earlier is to find it silent, too.
        long since = nowNanos - 2 * settings.timeoutNanos();
        lastAsked = nowNanos;
        unansweredSince = since == 0 ? -1 : since;
        waiting.fail(nowNanos);
    }

    /** Registers a round to be notified of the peer's next answer. */
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
