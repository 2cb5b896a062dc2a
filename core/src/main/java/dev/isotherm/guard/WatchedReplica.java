// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

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

    /** @param looksBack how many looks an avoidance is judged by, 1 or above */
    WatchedReplica(ReadWatch reads, GuardSettings settings, int looksBack, long nowNanos) {
        this.reads = reads;
        this.avoidance = new Avoidance(settings, looksBack, nowNanos);
    }

    /** Whether it has answered within the time for which a node is believed. */
    boolean wasHeardLately(long nowNanos) {
        return isLately(heardNanos, nowNanos);
    }

    /** Whether it has said within that time that its process hardly runs. */
    boolean saidStarvedLately(long nowNanos) {
        return isLately(starvedNanos, nowNanos);
    }

    private static boolean isLately(long instantNanos, long nowNanos) {
        return instantNanos != NEVER && nowNanos - instantNanos < ReadGuard.TOLD_NANOS;
    }

    /**
     * Whether the other's trouble is its own: that of one that answers nothing is, beside each that does.
     *
     * @param runningNanos the instant on the clock of the reads, which stands still while the process does
     */
    boolean isWellBeside(WatchedReplica troubled, long runningNanos, long nowNanos) {
        if (seen.starved || seen.isSilent()) {
            return false;
        }
        boolean answersNothing = troubled.seen.isSilent() || troubled.avoidance.answersNothing();
        return answersNothing && wasHeardLately(nowNanos)
                || !seen.slow && avoidance.isWellBeside(troubled.avoidance) && !hasAsMuchToDo(troubled, runningNanos);
    }

    /*
     * Where all have more to do than they can, each passes what is usual for it at an instant of its own. The first
     * would be avoided, the queues of the others would grow by its reads, and its own would be the shortest by then.
     */
    /** Whether the other would begin to be avoided for reads that wait, and they would hardly wait for less here. */
    private boolean hasAsMuchToDo(WatchedReplica troubled, long runningNanos) {
        boolean begins = troubled.avoidance.state() == Avoidance.State.USED;
        if (!begins || troubled.seen.slow || troubled.seen.leaves) {
            return false;
        }
        boolean letsWait = reads.letsWait(troubled.reads.betterOffNanos(runningNanos), runningNanos);
        long judgedOver = troubled.reads.judgedOverNanos();
        if (letsWait && judgedOver > 0) {
            letWaitNanos = runningNanos;
        }
        return letsWait || letWaitNanos != NEVER && runningNanos - letWaitNanos < judgedOver;
    }

    /** Takes a second of reads into what is usual, and follows the settings. */
    void learn(GuardSettings settings) {
        reads.use(settings);
        avoidance.use(settings);
        reads.learn(avoidance.state() == Avoidance.State.USED);
    }
}
