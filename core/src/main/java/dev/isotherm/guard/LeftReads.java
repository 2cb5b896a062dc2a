// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

/** Whether this node, while its process hardly runs, leaves its own reads to the other replicas. For one thread. */
/*
 * By itself a node cannot tell whether the others are better off: with quotas of the same period they stand still while
 * it does, and it measures their round trips by what is left. So they say it. Where at least as many say it as do not,
 * a read that is moved is as likely to meet with a node that hardly runs, and costs two nodes a message besides.
 *
 * Reads may be what made the others starve, and a node that sends no reads hears nothing: it can only try. Each time in
 * vain it waits twice as long before the next one.
 */
final class LeftReads {
    static final long FIRST_WAIT_NANOS = 5_000_000_000L;
    static final long LONGEST_WAIT_NANOS = 60_000_000_000L;

    private boolean leaving;
    private boolean waiting;
    private long waitNanos;
    private long sinceNanos;

    /** Decides for the present look; of nodes that are not read from nothing is known: they may be far, or dead. */
    boolean decide(LocalReads own, Iterable<WatchedReplica> all, long nowNanos) {
        int well = 0;
        int alike = 0;
        for (WatchedReplica watched : all) {
            if (watched.reads != own && watched.wasHeardLately(nowNanos)) {
                boolean starved = watched.saidStarvedLately(nowNanos);
                alike += starved ? 1 : 0;
                well += !starved && watched.avoidance.state() == Avoidance.State.USED ? 1 : 0;
            }
        }
        return decide(own.isStarved(), well, alike, nowNanos);
    }

    /**
     * Decides for the present look.
     *
     * @param starved whether this node's process hardly runs
     * @param well others that were heard of lately, are not avoided, and do not say that they hardly run
     * @param alike others that were heard of lately and say so
     */
    boolean decide(boolean starved, int well, int alike, long nowNanos) {
        if (!starved) {
            leaving = false;
            waiting = false;
        } else if (alike > 0 && well <= alike) {
            if (leaving) {
                waitNanos = waiting ? Math.min(2 * waitNanos, LONGEST_WAIT_NANOS) : FIRST_WAIT_NANOS;
                waiting = true;
                sinceNanos = nowNanos;
            }
            leaving = false;
        } else if (!waiting || nowNanos - sinceNanos >= waitNanos) {
            leaving = true;
        }
        return leaving;
    }
}
