// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

/**
 * Whether one replica is used, avoided or tried by this coordinator. One thread looks; any thread claims trials.
 *
 * <p>A replica is avoided for at most {@link GuardSettings#mostRetryNanos} at a stretch. Then copies of reads try it,
 * one at a time, until enough answers in a row came in time; one late answer ends the trial, and the next one waits
 * four times as long. Where no read is there to be copied, reads themselves try it.
 */
/*
 * A copy goes to the tried replica beside the read that it is made of, and nobody waits for it: a trial that fails
 * would otherwise make one read late at each coordinator, and a p99 over two seconds is made of few reads. Reads that
 * the coordinator serves alone send no message that could be copied: where nothing else comes, a read tries the
 * replica.
 */
final class Avoidance {
    /** The ways in which a coordinator treats a replica. */
    enum State {
        USED,
        AVOIDED,
        TRIED
    }

    /** Whether the first answer of a silent replica is awaited, which begins a trial at once, once an avoidance. */
    private enum FirstAnswer {
        NOT_AWAITED,
        AWAITED,
        USED_UP
    }

    /**
     * Answers in a row that end a trial. Of a replica that is late with a third of its reads, 1 trial in 650 passes.
     */
    static final int PROVING_ANSWERS = 16;
    /**
     * Answers that end the trial of a replica that was in trouble for less than the first retry: it has had a pause. As
     * many reads try it at once as soon as no read is late any more, so that a pause costs little more than itself.
     */
    static final int ANSWERS_AFTER_PAUSE = 4;
    /** Time from an answer to the next copy in a trial that goes on although it has answers enough. */
    static final long NEXT_COPY_NANOS = 100_000_000L;
    /** Time after which one answer is enough to pass a trial: where reads are rare, more would take too long. */
    static final long PROVING_NANOS = 5_000_000_000L;
    /**
     * Time without a read that would use the replica after which nothing is left to be avoided: ranges have moved, a
     * table was dropped, or its clients have gone.
     */
    static final long UNASKED_NANOS = 600_000_000_000L;
    /**
     * A replica that is avoided again within this time of its last trial has relapsed. If it answered nothing, the next
     * trial takes as long at least: pauses that come again and again meet copies then, and no read.
     */
    static final long RELAPSE_NANOS = 3_000_000_000L;
    /** The same time for a replica that is slow beside others again, which takes seconds to show. */
    static final long SLOW_RELAPSE_NANOS = 10_000_000_000L;
    /** Growth of the time to the next trial. The first is short: most of what goes wrong once is over at once. */
    static final int GROWTH = 4;

    private GuardSettings settings;
    private final Lateness lateness;
    private final int looksBack;
    private volatile State state = State.USED;
    private final TrialClaims claims = new TrialClaims();
    private volatile long sinceNanos;
    private volatile String reason = "";
    private long retryNanos;
    private long untilNanos;
    private long triedSinceNanos;
    private long usedSinceNanos;
    private boolean everAvoided;
    /** Whether it was avoided last as it answered nothing. */
    private boolean forSilence;
    /** Whether it has answered nothing since. */
    private boolean silentSince;
    /** Whether it is avoided because this process hardly runs. */
    private boolean forStarvation;

    private FirstAnswer firstAnswer = FirstAnswer.NOT_AWAITED;
    /** Whether all that is known of the trouble may have been a pause. */
    private boolean mayBePause;

    /** Whether it was avoided last soon after it had passed a trial. */
    private boolean relapsed;

    /** Whether it has answered nothing for a while since. */
    private boolean silentAgain;

    private int answersToProve;
    private int proving;
    /** Whether one of those that may last was answered during the trial. */
    private boolean provingLasting;

    private long answeredNanos;
    private final RankAmongAvoided rank = new RankAmongAvoided();
    /** Whether it is late by its own past, but not beside others, as was found since the last call. */
    private boolean excused;
    /** Looks in a row at which no other replica was well while this one was avoided. */
    private int looksInVain;

    Avoidance(GuardSettings settings, int looksBack, long nowNanos) {
        this.settings = settings;
        this.lateness = new Lateness(looksBack);
        this.looksBack = looksBack;
        this.retryNanos = settings.firstRetryNanos();
        this.sinceNanos = nowNanos;
    }

    /** Follows other settings from the next decision on. */
    void use(GuardSettings changed) {
        settings = changed;
    }

    State state() {
        return state;
    }

    /** The instant at which the replica began to be avoided; before that, of no meaning. */
    long sinceNanos() {
        return sinceNanos;
    }

    /** Why the replica was avoided last. */
    String reason() {
        return reason;
    }

    /** Claims one trial for a read itself: true if it may contact the replica in spite of all. */
    boolean claimTrialByRead() {
        return claims.claimByRead();
    }

    /** Whether the replica waits for a trial, which a copy of a read may claim. */
    boolean awaitsTrial() {
        return claims.isFree();
    }

    /** Claims one trial for a copy of a read: true if the copy may be sent to the replica. */
    boolean claimTrial() {
        return claims.claim();
    }

    /** How late the replica's reads are. */
    Lateness lateness() {
        return lateness;
    }

    /** Takes in what was seen since the last look; the decision follows by {@link #decide}. */
    void see(Evidence seen) {
        claims.look();
        lateness.see(seen);
        silentSince &= !seen.hasAnswers();
        if (state == State.USED) {
            lateness.learn();
        }
        rank.see(lateness);
    }

    /** The rank of the replica beside so many that began to be avoided later. */
    int rank(int later) {
        return rank.beside(later);
    }

    /** Whether what was seen would make a coordinator avoid the replica. */
    boolean isTroubled(Evidence seen) {
        return seen.isSilent() || seen.slow || lateness.isMarked();
    }

    /** Whether it is avoided because it answered nothing, and has not answered since: each that does is better off. */
    boolean answersNothing() {
        return silentSince && state != State.USED;
    }

    /** Uses it again as if it had never been avoided: that was in vain, and not for what it did. */
    void endInVain(long nowNanos) {
        use(nowNanos);
        everAvoided = false;
    }

    /** Whether this replica is so much better off that the other's trouble is the other's own, or was when it began. */
    boolean isWellBeside(Avoidance other) {
        if (other.state != State.USED) {
            return state == State.USED && !lateness.isMarked() || lateness.isFarRarerThanTheWorstOf(other.lateness);
        }
        return state == State.USED ? lateness.isFarLessThan(other.lateness) : lateness.isFarRarerThan(other.lateness);
    }

    /**
     * Decides after {@link #see}.
     *
     * @param anotherIsWell whether another replica of this coordinator is well beside this one: where all are in
     *     trouble, it is the coordinator's or the load's, and moving reads does not help
     * @return whether the replica begins or ceases to be avoided
     */
    boolean decide(Evidence seen, boolean anotherIsWell, long patienceNanos, long nowNanos) {
        looksInVain = state == State.USED || anotherIsWell ? 0 : looksInVain + 1;
        boolean othersAreNoBetter = forStarvation && state != State.USED && seen.starved && !seen.leaves;
        if (looksInVain >= looksBack || othersAreNoBetter) {
            use(nowNanos);
            return true;
        }
        switch (state) {
            case USED:
                if (!anotherIsWell || !isTroubled(seen)) {
                    return false;
                }
                long relapseNanos = seen.slow ? SLOW_RELAPSE_NANOS : RELAPSE_NANOS;
                boolean again = everAvoided && nowNanos - usedSinceNanos < relapseNanos;
                if (again && mayBeExcused(seen)) {
                    excused = true;
                    lateness.beginStretch();
                    return false;
                }
                relapsed = again;
                silentAgain = relapsed && seen.isSilent();
                retryNanos = relapsed ? longerRetry() : settings.firstRetryNanos();
                firstAnswer = relapsed ? FirstAnswer.USED_UP : FirstAnswer.NOT_AWAITED;
                mayBePause = !relapsed && !seen.slow;
                reason = reasonOf(seen, patienceNanos);
                sinceNanos = nowNanos;
                everAvoided = true;
                forSilence = seen.isSilent();
                silentSince = forSilence;
                forStarvation = seen.leaves && !seen.isSilent();
                lateness.beginTrouble();
                avoid(seen, nowNanos);
                return true;
            case AVOIDED:
                silentAgain |= relapsed && seen.isSilent();
                if (mayBePause && !seen.isBad() && !seen.mute) {
                    tryAgain(ANSWERS_AFTER_PAUSE, ANSWERS_AFTER_PAUSE, nowNanos);
                } else if (nowNanos - untilNanos >= 0) {
                    tryAgain(1, PROVING_ANSWERS, nowNanos);
                } else if (firstAnswer == FirstAnswer.AWAITED && seen.hasAnswers()) {
                    firstAnswer = FirstAnswer.USED_UP;
                    tryAgain(1, PROVING_ANSWERS, nowNanos);
                } else if (firstAnswer == FirstAnswer.NOT_AWAITED && seen.isSilent()) {
                    firstAnswer = FirstAnswer.AWAITED;
                }
                return false;
            default:
                return prove(seen, nowNanos);
        }
    }

    private static boolean mayBeExcused(Evidence seen) {
        return seen.beyondOwn && seen.asElsewhere && !seen.hangs && !seen.isSilent() && !seen.slow && !seen.leaves;
    }

    private String reasonOf(Evidence seen, long patienceNanos) {
        if (seen.isSilent()) {
            return "it answers nothing";
        }
        if (seen.leaves) {
            return "its process stands still for more than half of the time";
        }
        return seen.slow && !lateness.isMarked()
                ? seen.slowness()
                : lateness.late() + " of its last " + lateness.reads() + " reads took longer than "
                        + patienceNanos / 1_000_000 + " ms";
    }

    private boolean prove(Evidence seen, long nowNanos) {
        if (seen.isBad() || seen.noneQuick || forSilence && seen.mute) {
            return fail(seen, nowNanos);
        }
        // Of one that answered nothing an answer says that it is over, however long it took.
        int good = seen.good + (forSilence ? seen.lasted : 0);
        proving += good;
        answeredNanos = good > 0 ? nowNanos : answeredNanos;
        // Where only reads come that may last, none tells whether others would be late: it is used until one is.
        provingLasting |= seen.lasted > 0;
        boolean longEnough = (proving > 0 || provingLasting) && nowNanos - triedSinceNanos >= PROVING_NANOS;
        boolean proven = proving >= answersToProve && (!silentAgain || nowNanos - triedSinceNanos >= RELAPSE_NANOS);
        if (proven || longEnough) {
            if (seen.slow || seen.beyondOwn && !seen.asElsewhere) {
                lateness.countAllLate();
                rank.see(lateness);
                return fail(seen, nowNanos);
            }
            excused = seen.beyondOwn;
            use(nowNanos);
            return true;
        }
        if (isUnasked(nowNanos)) {
            use(nowNanos);
            return true;
        }
        if (seen.unanswered == 0 && (proving < answersToProve || nowNanos - answeredNanos >= NEXT_COPY_NANOS)) {
            claims.offerNext(nowNanos);
        }
        // One of those that may last at a time; copies go on beside it.
        claims.openToReads(seen.lasting == 0, nowNanos);
        return false;
    }

    /** Whether no read would use the replica any more: each that would claims a trial, or has a copy that does. */
    private boolean isUnasked(long nowNanos) {
        return !claims.wereEverClaimed() && nowNanos - triedSinceNanos >= UNASKED_NANOS;
    }

    /** Whether what reads take elsewhere is usual for this replica too; true once for each time that this is found. */
    boolean takeExcuse() {
        boolean found = excused;
        excused = false;
        return found;
    }

    /** The trial ends; the replica goes on to be avoided. */
    private boolean fail(Evidence seen, long nowNanos) {
        retryNanos = longerRetry();
        avoid(seen, nowNanos);
        return false;
    }

    private void use(long nowNanos) {
        claims.withdraw();
        looksInVain = 0;
        usedSinceNanos = nowNanos;
        lateness.beginStretch();
        state = State.USED;
    }

    private void avoid(Evidence seen, long nowNanos) {
        if (firstAnswer != FirstAnswer.USED_UP) {
            firstAnswer = seen.isSilent() ? FirstAnswer.AWAITED : FirstAnswer.NOT_AWAITED;
        }
        untilNanos = nowNanos + retryNanos;
        claims.withdraw();
        state = State.AVOIDED;
    }

    private void tryAgain(int reads, int answers, long nowNanos) {
        lateness.beginStretch();
        mayBePause = false;
        proving = 0;
        provingLasting = false;
        answersToProve = answers;
        triedSinceNanos = nowNanos;
        answeredNanos = nowNanos;
        claims.begin(reads, nowNanos);
        state = State.TRIED;
    }

    private long longerRetry() {
        long most = settings.mostRetryNanos();
        return retryNanos < most / GROWTH ? GROWTH * retryNanos : most;
    }
}
