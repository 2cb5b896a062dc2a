// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import dev.isotherm.common.Allowed;

/**
 * The placement of one table that one node votes for, by the misses that it measures. Used by one thread, which looks
 * about once a second, or each few seconds.
 *
 * <p>What comes into force the node votes for until it has measured it, so that the votes say what is in force. Under
 * {@link Placement#LOCAL} it then votes for affinity where that can save twice what its messages take. Once that is in
 * force, misses tell what it does save: if less than its messages take, the node votes for local again. Later it does
 * so only where local would lose hardly anything, by the misses of the reads drawn at random.
 */
public final class PlacementVote {
    /*
     * Nothing is judged by a moment: only by all reads of a window, of two minutes or more. What trembles within a
     * window has no effect, and two thresholds a factor of two apart keep what trembles between windows from going to
     * and fro. Only looks that bring reads count: caches that were idle say nothing until they are read again.
     *
     * Affinity that comes into force is on trial where the misses of local before it are known. In the first half of
     * the window caches still hold what local left in them; the second half is judged. When affinity ends, the next
     * window under local is eight times as long, up to a day, if affinity was in force for less than eight windows;
     * and a trial lasts an eighth of the window before it. While a replica is down or avoided, reads have only as many
     * replicas as they contact, and affinity saves nothing: the trial's window begins anew then, for as long as eight
     * windows take. So where affinity saves nothing, a node changes its vote
     * eight times on its first day and about twice a day later, and spends a ninth of the time on trials. A cache that
     * takes hours to fill shows what it saves in one of the longer trials.
     *
     * While caches fill misses fall: those of a node that has just started would be saved by mere waiting. A window
     * whose second half has a tenth fewer misses than the first is no reason to begin to vote for affinity.
     */
    static final long WINDOW_NANOS = 120_000_000_000L;
    private static final long LONGEST_NANOS = 720 * WINDOW_NANOS;
    private static final int LONGER = 8;
    /** What may be saved must be so many times what the messages take. */
    private static final double TIMES = 2;

    private static final double STEADY = 0.9;
    /** A look that comes later than this after the last one counts as if it had not. */
    static final long LATE_NANOS = 10_000_000_000L;
    /** A half of a window with fewer reads is not judged. */
    private static final double LEAST_READS = 200;
    /** With no miss in n reads, less than 3/n of them miss: with a certainty of 95 %. */
    private static final double UNSEEN_MISSES = 3;

    private Placement vote;
    private Placement inForce;
    private boolean onTrial;
    /** Misses per read under local before affinity came into force; NaN if they are not known. */
    private double before = Double.NaN;

    private long patienceNanos = WINDOW_NANOS;
    private long inForceSinceNanos;
    private long windowNanos = WINDOW_NANOS;
    private long lookedNanos;
    private boolean inSecondHalf;
    /** The time of this half in which there were reads. */
    private long readNanos;

    private double firstReads;
    private double firstMisses;
    private double reads;
    private double misses;

    /** @param inForce the placement that is in force; what each process begins with, local, is no vote for it */
    public PlacementVote(Placement inForce, long nowNanos) {
        if (inForce == null) {
            throw Allowed.refusal("inForce", null, "local or affinity");
        }
        this.inForce = inForce;
        this.vote = inForce == Placement.AFFINITY ? inForce : null;
        this.inForceSinceNanos = nowNanos;
        this.lookedNanos = nowNanos;
        begin(WINDOW_NANOS);
    }

    /** The vote to tell; null until the node has one. */
    public Placement vote() {
        return vote;
    }

    /**
     * A replica is down or avoided: what a trial has seen until now says nothing of affinity. Called before a look.
     */
    public void disturb(long nowNanos) {
        if (onTrial && nowNanos - inForceSinceNanos < LONGER * windowNanos) {
            begin(windowNanos);
        }
    }

    /**
     * Adds the reads since the last look, and votes at the end of a window.
     *
     * @param nowInForce the placement that was in force meanwhile
     * @param newMisses those of the reads that missed, 0 to newReads
     * @param newReads the reads that this node served, 0 or above
     * @param costs null while they are not known
     */
    public void look(Placement nowInForce, double newMisses, double newReads, PlacementCosts costs, long nowNanos) {
        Allowed.finiteNonNegative("newReads", newReads);
        if (!(newMisses >= 0 && newMisses <= newReads)) {
            throw Allowed.refusal("newMisses", newMisses, "0 to newReads, " + newReads);
        }
        long sinceNanos = Math.min(LATE_NANOS, nowNanos - lookedNanos);
        lookedNanos = nowNanos;
        if (nowInForce != inForce) {
            changed(nowInForce, nowNanos);
            return;
        }
        reads += newReads;
        misses += newMisses;
        readNanos += newReads > 0 ? sinceNanos : 0;
        if (readNanos < windowNanos / 2 || reads < LEAST_READS) {
            return;
        }
        if (!inSecondHalf) {
            inSecondHalf = true;
            firstReads = reads;
            firstMisses = misses;
            beginHalf();
        } else if (costs != null) {
            judge(costs);
        }
    }

    private void changed(Placement to, long nowNanos) {
        if (to == Placement.AFFINITY) {
            before = latest();
            // A node that has just started knows nothing of local: it judges as those whose trial is over.
            onTrial = !Double.isNaN(before);
            begin(Math.max(WINDOW_NANOS, patienceNanos / LONGER));
        } else {
            boolean stayed = nowNanos - inForceSinceNanos >= LONGER * patienceNanos;
            patienceNanos = stayed ? WINDOW_NANOS : Math.min(LONGEST_NANOS, LONGER * patienceNanos);
            onTrial = false;
            begin(patienceNanos);
        }
        vote = to;
        inForce = to;
        inForceSinceNanos = nowNanos;
    }

    /** The misses per read of the second half of a window: of the present one, or of the last one that was judged. */
    private double latest() {
        boolean isEnough = reads >= LEAST_READS && (inSecondHalf || Double.isNaN(before));
        return isEnough ? misses / reads : before;
    }

    private void begin(long nanos) {
        windowNanos = nanos;
        inSecondHalf = false;
        firstReads = 0;
        firstMisses = 0;
        beginHalf();
    }

    private void beginHalf() {
        readNanos = 0;
        reads = 0;
        misses = 0;
    }

    private void judge(PlacementCosts costs) {
        if (inForce == Placement.LOCAL) {
            vote = isWorthTrying(costs) ? Placement.AFFINITY : Placement.LOCAL;
            before = misses / reads;
            begin(patienceNanos);
        } else if (onTrial) {
            // One that has failed goes on while others want affinity.
            onTrial = costs.saved(before, misses / reads) < costs.messages();
            vote = onTrial ? Placement.LOCAL : Placement.AFFINITY;
            begin(WINDOW_NANOS);
        } else if (costs.mostLost(misses / reads) > costs.messages()) {
            vote = Placement.AFFINITY;
            begin(WINDOW_NANOS);
        } else if (costs.mostLost((misses + UNSEEN_MISSES) / reads) <= costs.messages()) {
            vote = Placement.LOCAL;
            begin(WINDOW_NANOS);
        }
        // Else there are too few reads to tell: the window goes on.
    }

    private boolean isWorthTrying(PlacementCosts costs) {
        double ratio = misses / reads;
        boolean isSteady = ratio >= STEADY * firstMisses / firstReads;
        // A vote stands as long as what it was given for does not end.
        double times = vote == Placement.AFFINITY ? 1 : TIMES;
        double saved = costs.mostSaved(ratio);
        return (isSteady || vote == Placement.AFFINITY) && saved > 0 && saved >= times * costs.messages();
    }
}
