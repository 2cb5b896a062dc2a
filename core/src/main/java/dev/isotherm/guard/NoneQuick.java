// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Whether as good as none of a replica's reads is quick any more, as behind messages that are late. One thread
 * compares, and asks whether none was; any thread notes the answers of a trial.
 */
/*
 * Late messages delay each read, and a disk only those that miss the caches: chance does not make nineteen in twenty of
 * them. So what takes a third of the patience is enough. A cold cache, or one that was lost, can take that as well: the
 * replica must have been quick before.
 */
final class NoneQuick {
    /** Part of a second's answers that is as good as all: if more are not quick, none is. */
    private static final double ALL = 0.95;

    private static final double HALF = 0.5;
    private static final int LESS_PATIENCE = 3;
    /** Least answers by which a trial fails: where a third miss a cache, all five do once in 243 trials. */
    private static final int LEAST_ANSWERS = 5;
    /** The same of a trial's answers: less, as what is avoided for hardly a quick read is not used again for one. */
    private static final double MOST_OF_TRIAL = 0.9;

    private static final VarHandle BEYOND;

    static {
        try {
            BEYOND = MethodHandles.lookup().findVarHandle(NoneQuick.class, "beyond", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** None of a cold node's reads may be quick, and none of one that is far, or whose disk is slow, for good. */
    private ColdStart start = new ColdStart(true);

    private long quickNanos = Long.MAX_VALUE;
    /** The answers since the last trial began that took longer. */
    private volatile int beyond;

    private volatile long fromNanos = Long.MAX_VALUE;

    /**
     * Compares the round trips of the last second with those to other nodes, once a second.
     *
     * @return whether none is quick in this one
     */
    boolean compare(LatestRoundTrips own, ReadWatch replica, Elsewhere elsewhere, GuardSettings settings) {
        long least = settings.leastPatienceNanos() / LESS_PATIENCE;
        if (least < quickNanos) {
            start = new ColdStart(true);
        }
        quickNanos = least;
        // Whether it was quick before does not depend on others: their slow times make nobody quick.
        double notQuick = own.partAboveAtLast(least);
        if (notQuick >= 0) {
            start.second(notQuick <= HALF);
        }
        // Of own reads a coordinator does not know how long they waited: where it is short of processors, each answer
        // comes late, and nobody else is the cause.
        fromNanos = Learning.muchLongerNanos(least, elsewhere.typicalMedianRoundTripNanos(replica));
        return fromNanos < Long.MAX_VALUE && own.partAboveAtLast(fromNanos) > ALL && !start.isCold();
    }

    /** Forgets the answers of the last trial. */
    void beginTrial() {
        beyond = 0;
    }

    /** Notes an answer since the last trial began. */
    void answered(long roundTripNanos) {
        if (roundTripNanos > fromNanos) {
            BEYOND.getAndAdd(this, 1);
        }
    }

    /** Whether none was quick of that many answers, which are all since the last trial began. */
    boolean isSlowBy(int answers) {
        return !start.isCold() && answers >= LEAST_ANSWERS && beyond > MOST_OF_TRIAL * answers;
    }
}
