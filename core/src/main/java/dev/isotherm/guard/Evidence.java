// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

/**
 * What a coordinator saw of one replica's reads since it last looked. One thread fills the object and reads it; it is
 * filled again each time.
 *
 * <p>Of this node's own reads, whose ages nobody knows, {@link LocalReads} counts by sums: all that ended are overdue
 * when their mean is late, and {@link #unanswered} is 1 until a read has ended.
 */
final class Evidence {
    /** Reads answered within the patience. */
    int good;
    /** Reads answered, but after the patience. */
    int late;
    /** Reads now unanswered for longer than the patience, by at most half a second. */
    int overdue;
    /** Reads now unanswered for longer than that. */
    int overdueLonger;
    /** Unanswered reads of any age that the present judgement is about. */
    int unanswered;
    /** Answers to reads that were sent before the present judgement began: the replica lives, whatever it took. */
    int stray;
    /** Answers to reads that may take as long as they do; during a trial, to those sent since it began. */
    int lasted;
    /** Unanswered reads that may take as long as they do, of any age, that the present judgement is about. */
    int lasting;
    /** Whether one of these waits for longer than any should, and no answer of any kind has come for as long. */
    boolean mute;
    /** Whether an answer since it was last tried or used again took longer than by the replica's own past. */
    boolean beyondOwn;
    /** Whether a read waits for longer than one takes elsewhere: no answers tell of it yet. */
    boolean hangs;
    /**
     * Whether the answers since it was last tried or used again took as long on average as reads take elsewhere; false
     * where either is not known.
     */
    boolean asElsewhere;
    /** Whether most reads take much longer than at most other nodes, whatever was usual for this replica. */
    boolean slow;
    /** Whether it is so because none is quick; during a trial known after a few answers. */
    boolean noneQuick;
    /** Whether there are overdue reads and no answer has come since long before they were due. */
    boolean silent;
    /** Whether the replica is this node, and its process hardly runs. */
    boolean starved;
    /** Whether it is starved and others are to serve its reads for that: then all of its reads count as late. */
    boolean leaves;

    void clear() {
        good = 0;
        late = 0;
        overdue = 0;
        overdueLonger = 0;
        unanswered = 0;
        stray = 0;
        lasted = 0;
        lasting = 0;
        mute = false;
        beyondOwn = false;
        hangs = false;
        asElsewhere = false;
        slow = false;
        noneQuick = false;
        silent = false;
        starved = false;
        leaves = false;
    }

    /** Whether a read was late or is: one ends a trial. */
    boolean isBad() {
        return late > 0 || overdue > 0 || overdueLonger > 0;
    }

    /** Why it is {@linkplain #slow slow}, for operators. */
    String slowness() {
        return noneQuick
                ? "none of its reads is as quick as at other nodes"
                : "most of its reads take much longer than at other nodes";
    }

    boolean isSilent() {
        return silent || mute;
    }

    boolean hasAnswers() {
        return good + late + stray + lasted > 0;
    }
}
