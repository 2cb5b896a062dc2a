// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

/** What a coordinator sees by itself of the reads that one replica serves for it. */
interface ReadWatch {
    /** Writes what was seen since the last call. One thread calls. */
    void see(Evidence into, long nowNanos);

    /** Follows other settings from the next call of {@link #learn} on. */
    void use(GuardSettings changed);

    /** A trial begins: only reads from this instant on are judged, by the patience of a trial. */
    void judgeFrom(long nowNanos);

    /** The replica is used again: the patience is the usual one. */
    void trust();

    /**
     * The replica is no slower than others: what a read takes elsewhere is usual for it too, for as long as it takes to
     * learn that.
     */
    void excuse();

    /** The time after which a read is late, nanoseconds. */
    long patienceNanos();

    /** The usual 99th percentile of its reads, nanoseconds; -1 if not known. */
    long usualTailNanos();

    /** How long a read took there on average in the last seconds, nanoseconds; -1 if not known. */
    long meanNanos();

    /** The most that this part of the last seconds' reads took, or a bound of it, nanoseconds; -1 if not known. */
    long latestNanos(double part);

    /** The median of the last second's round trips, nanoseconds; -1 if not known, as of own reads. */
    default long medianRoundTripNanos() {
        return -1;
    }

    /** The 99th percentile of the last seconds in times of {@link #meanNanos}; -1 if not known. */
    double spread();

    /** The time in which reads must not have waited elsewhere, nanoseconds; 0 where only the present counts. */
    default long judgedOverNanos() {
        return 0;
    }

    /** How long reads wait here now, or how long they take: from about that on they are late; nanoseconds. */
    long waitNanos(long nowNanos);

    /** The wait, nanoseconds, up to which reads are better off elsewhere than here. */
    long betterOffNanos(long nowNanos);

    /** How long reads wait here while nothing is out of order, nanoseconds; 0 if it is not known. */
    default long usualWaitNanos() {
        return Math.max(0, usualTailNanos());
    }

    /**
     * Whether several of its reads wait for longer than that.
     *
     * @param withinNanos those that were sent earlier do not count
     */
    boolean letsWait(long nanos, long withinNanos, long nowNanos);

    /** Whether several of its reads wait for longer than that, whenever they were sent. */
    default boolean letsWait(long nanos, long nowNanos) {
        return letsWait(nanos, Long.MAX_VALUE, nowNanos);
    }

    /** Takes how long reads take elsewhere: a replica that is no slower passes a trial, whatever was usual for it. */
    void compareWith(Elsewhere elsewhere);

    /**
     * Learns how long reads usually take, once a second.
     *
     * @param inUse whether the replica is used; what an avoided one takes is hardly its usual time
     */
    void learn(boolean inUse);

    /** Reads without an answer; of this node, the tasks of its read threads. */
    int unanswered();

    /** The age of the oldest unanswered read in nanoseconds; -1 if there is none or it is not known. */
    long oldestNanos(long nowNanos);
}
