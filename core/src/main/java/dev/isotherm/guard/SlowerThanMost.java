// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Whether most of a replica's reads take much longer than those of most other nodes, or {@linkplain NoneQuick none is
 * quick}, however that came. One thread compares, and asks; any thread notes the answers of a trial.
 */
/*
 * A part of the reads here is compared with a larger part elsewhere: where about half of the reads go to the disk, a
 * few more or fewer do not make a replica slow.
 */
final class SlowerThanMost {
    /** A replica is slow if more than half of its reads take much longer than three in four take elsewhere. */
    private static final double HALF = 0.5;
    /** It also is if more than three in four take much longer than half of the reads take elsewhere. */
    private static final double THREE_IN_FOUR = 0.75;
    /**
     * Nearly all of one second's reads: three seconds' are three in four only in the fifth. Where seven in ten take
     * longer, chance makes it nine in ten of twenty in two seconds in a row once in four hours.
     */
    private static final double NINE_IN_TEN = 0.9;

    private static final VarHandle BEYOND_HALF = field("beyondHalf");
    private static final VarHandle BEYOND_MOST = field("beyondMost");
    /** One second may have had a pause. */
    private static final int LEAST_SECONDS = 2;

    private final ColdStart start;
    private final NoneQuick none = new NoneQuick();
    private int seconds;
    /** Whether the last of them was one only as none was quick. */
    private boolean onlyForNone;
    /** The answers since the last trial began that took longer. */
    private volatile int beyondHalf;

    private volatile int beyondMost;
    private volatile long fromNanosOfHalf = Long.MAX_VALUE;
    private volatile long fromNanosOfMost = Long.MAX_VALUE;

    /**
     * @param mayBeCold whether its cache may be cold, as of a node that has restarted, or that the coordinator reads
     *     from after others: it is not slow until it was once as quick as others
     */
    SlowerThanMost(boolean mayBeCold) {
        this.start = new ColdStart(mayBeCold);
    }

    /** Compares the round trips of the last seconds with those elsewhere, once a second. */
    void compare(LatestRoundTrips own, ReadWatch replica, Elsewhere elsewhere, GuardSettings settings) {
        fromNanosOfHalf = Learning.muchLongerNanos(settings, elsewhere.typicalNanos(THREE_IN_FOUR, replica));
        fromNanosOfMost = Learning.muchLongerNanos(settings, elsewhere.typicalNanos(HALF, replica));
        double aboveHalf = own.partAbove(fromNanosOfHalf);
        double aboveMost = own.partAbove(fromNanosOfMost);
        boolean known = fromNanosOfHalf < Long.MAX_VALUE && aboveHalf >= 0;
        boolean longer = known
                && (aboveHalf > HALF
                        || aboveMost > THREE_IN_FOUR
                        || own.partAboveAtLast(fromNanosOfMost) > NINE_IN_TEN);
        if (known) {
            // No more of its reads were slow than are elsewhere.
            start.second(aboveHalf <= 1 - THREE_IN_FOUR);
        }
        boolean mostAreSlow = longer && !start.isCold();
        boolean noneIsQuick = none.compare(own, replica, elsewhere, settings);
        seconds = mostAreSlow || noneIsQuick ? seconds + 1 : 0;
        onlyForNone = !mostAreSlow;
    }

    /** Forgets what it has found: the replica is used again. */
    void beginAnew() {
        seconds = 0;
    }

    /** Whether it was so for some seconds. */
    boolean isSlow() {
        return seconds >= LEAST_SECONDS;
    }

    /** Whether it is so only as none is quick. */
    boolean isNoneQuick() {
        return isSlow() && onlyForNone;
    }

    /** What three in four reads take elsewhere, several times, as of the last comparison; nanoseconds. */
    long fromNanos() {
        return fromNanosOfHalf;
    }

    /** Forgets the answers of the last trial. */
    void beginTrial() {
        beyondHalf = 0;
        beyondMost = 0;
        none.beginTrial();
    }

    /** Notes an answer since the last trial began; any thread calls. */
    void answered(long roundTripNanos) {
        if (roundTripNanos > fromNanosOfHalf) {
            BEYOND_HALF.getAndAdd(this, 1);
        }
        if (roundTripNanos > fromNanosOfMost) {
            BEYOND_MOST.getAndAdd(this, 1);
        }
        none.answered(roundTripNanos);
    }

    /** Whether it is so by that many answers, which are all since the last trial began. */
    boolean isSlowBy(int answers) {
        return !start.isCold() && (beyondHalf > HALF * answers || beyondMost > THREE_IN_FOUR * answers)
                || isNoneQuickBy(answers);
    }

    /** Whether none of them was quick, which a few tell. */
    boolean isNoneQuickBy(int answers) {
        return none.isSlowBy(answers);
    }

    private static VarHandle field(String name) {
        try {
            return MethodHandles.lookup().findVarHandle(SlowerThanMost.class, name, int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
