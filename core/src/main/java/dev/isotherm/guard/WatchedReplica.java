// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import java.util.Locale;

/** What the guard of one coordinator knows of a replica. One thread looks and decides. */
final class WatchedReplica {
    /** An instant that never was. */
    static final long NEVER = Long.MIN_VALUE;

    final ReadWatch reads;
    /** Whether it is known to be of this coordinator's datacenter. */
    boolean near;

    final Avoidance avoidance;
    final Evidence seen = new Evidence();
    /** When it answered last, as of the last look; on the wall clock. */
    long heardNanos = NEVER;
    /** When it said last that its process hardly runs; on the wall clock. Any thread writes it. */
    volatile long starvedNanos = NEVER;
    /** When its reads were last found to wait as long as this node's own; on the clock of the reads. */
    private long letWaitNanos = NEVER;

    private long longestWaitNanos;
    /** Whether it was avoided last for late reads alone. */
    private boolean leftLateReads;
    /** Whether it has answered nothing since it fell silent. */
    private boolean fallenSilent;
    /** Whether its avoidance ends with the present look, as it was in vain. */
    boolean endsInVain;

    /** @param looksBack how many looks an avoidance is judged by, 1 or above */
    WatchedReplica(ReadWatch reads, GuardSettings settings, int looksBack, long nowNanos) {
        this.reads = reads;
        this.avoidance = new Avoidance(settings, looksBack, nowNanos);
    }

    /** Takes in what was seen of its reads since the last look. */
    void see(long runningNanos, long nowNanos) {
        reads.see(seen, runningNanos);
        heardNanos = seen.hasAnswers() ? nowNanos : heardNanos;
        fallenSilent = seen.isSilent() || fallenSilent && !seen.hasAnswers();
        avoidance.see(seen);
    }

    /** Whether it has answered within the time for which a node is believed. */
    boolean wasHeardLately(long nowNanos) {
        return isLately(heardNanos, nowNanos);
    }

    /** Whether it has answered within so many nanoseconds. */
    boolean wasHeard(long withinNanos, long nowNanos) {
        return isWithin(withinNanos, heardNanos, nowNanos);
    }

    /** Whether it has said within that time that its process hardly runs. */
    boolean saidStarvedLately(long nowNanos) {
        return isLately(starvedNanos, nowNanos);
    }

    private static boolean isLately(long instantNanos, long nowNanos) {
        return isWithin(ReadGuard.TOLD_NANOS, instantNanos, nowNanos);
    }

    private static boolean isWithin(long nanos, long instantNanos, long nowNanos) {
        return instantNanos != NEVER && nowNanos - instantNanos < nanos;
    }

    /**
     * Whether the other's trouble is its own: that of one that answers nothing is, beside each that does.
     *
     * @param betterOffNanos where reads wait for no longer they are better off than at the troubled one
     * @param runningNanos the instant on the clock of the reads, which stands still while the process does
     */
    boolean isWellBeside(WatchedReplica troubled, long betterOffNanos, long runningNanos, long nowNanos) {
        if (seen.starved || seen.isSilent()) {
            return false;
        }
        boolean answersNothing = troubled.seen.isSilent() || troubled.avoidance.answersNothing();
        return answersNothing && wasHeardLately(nowNanos)
                || !seen.slow
                        && avoidance.isWellBeside(troubled.avoidance)
                        && !hasAsMuchToDo(troubled, betterOffNanos, runningNanos);
    }

    boolean isUsed() {
        return avoidance.state() == Avoidance.State.USED;
    }

    /** Whether it would begin to be avoided for what a queue may be: it answers, and this process runs. */
    boolean wouldLeave() {
        return isUsed() && !seen.isSilent() && !seen.leaves;
    }

    /** Whether its trouble is that reads wait, or were late, and none of the others. */
    private boolean isOnlyLate() {
        return !seen.isSilent() && !seen.leaves && !seen.slow;
    }

    /** Whether it is avoided for late reads, as those of a queue are. */
    boolean hasLeftQueue() {
        return leftLateReads && !isUsed() && !fallenSilent;
    }

    /** The longest that a read waited for it since it began to be avoided, as far as is known; nanoseconds. */
    long longestWaitNanos() {
        return longestWaitNanos;
    }

    /**
     * Notes how long reads wait for it, after a decision.
     *
     * @param before how it was treated until then
     */
    void noteWait(Avoidance.State before, long runningNanos) {
        if (!isUsed()) {
            boolean begins = before == Avoidance.State.USED;
            leftLateReads = begins ? isOnlyLate() : leftLateReads;
            long longest = begins ? 0 : longestWaitNanos;
            // Tasks that last have no age: some are there at least since it is avoided for them.
            long lasts = seen.hangs && reads.judgedOverNanos() > 0 ? runningNanos - avoidance.sinceNanos() : 0;
            longestWaitNanos = Math.max(longest, Math.max(lasts, reads.waitNanos(runningNanos)));
        }
    }

    /*
     * Where all have more to do than they can, each passes what is usual for it at an instant of its own. The first
     * would be avoided, the queues of the others would grow by its reads, and its own would be the shortest by then.
     */
    /**
     * Whether the other would begin to be avoided for reads that wait, and they would hardly wait for less here, or
     * only because reads have left this one.
     */
    private boolean hasAsMuchToDo(WatchedReplica troubled, long betterOffNanos, long runningNanos) {
        if (!troubled.isUsed() || !troubled.isOnlyLate()) {
            return false;
        }
        boolean letsWait = reads.letsWait(betterOffNanos, runningNanos);
        long judgedOver = troubled.reads.judgedOverNanos();
        if (letsWait && judgedOver > 0) {
            letWaitNanos = runningNanos;
        }
        return letsWait || !isUsed() || letWaitNanos != NEVER && runningNanos - letWaitNanos < judgedOver;
    }

    /**
     * What operators see of it.
     *
     * @param out whether one of them has taken it out of reads
     */
    ReplicaStatus status(boolean out, long runningNanos) {
        return new ReplicaStatus(
                out ? "out" : avoidance.state().name().toLowerCase(Locale.ROOT),
                out ? "an operator has taken it out of reads" : isUsed() ? "" : avoidance.reason(),
                isUsed() ? -1 : runningNanos - avoidance.sinceNanos(),
                reads.unanswered(),
                reads.oldestNanos(runningNanos),
                reads.patienceNanos());
    }

    /** Takes a second of reads into what is usual, and follows the settings. */
    void learn(GuardSettings settings) {
        reads.use(settings);
        avoidance.use(settings);
        reads.learn(avoidance.state() == Avoidance.State.USED);
    }
}
