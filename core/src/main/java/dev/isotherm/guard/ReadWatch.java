// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

/** What a coordinator sees by itself of the reads that one replica serves for it. */
interface ReadWatch {
    /** Writes what was seen since the last call. One thread calls. */
    void see(Evidence into, long nowNanos);

    /** Follows other settings from the next call of {@link #learn} on. */
    void use(GuardSettings changed);

    /** A trial begins: only reads from this instant on are judged, by the stricter patience of a trial. */
    void judgeFrom(long nowNanos);

    /** The replica is used again: the patience is the usual one. */
    void trust();

    /** The time after which a read is late, nanoseconds. */
    long patienceNanos();

    /**
     * How long a read takes there now at most, but for a few: by the last seconds and, where it is used, at least what
     * is usual. In nanoseconds; -1 if not known.
     */
    long tailNanos(boolean inUse);

    /** How long a read took there on average in the last seconds, nanoseconds; -1 if not known. */
    long meanNanos();

    /**
     * Takes how long reads take elsewhere: a replica that is no slower than where its reads would go instead is not
     * late, whatever was usual for it. Both are -1 if not known of any other, 0 if there is none.
     *
     * @param tailNanos the least {@link #tailNanos} of the other replicas
     * @param meanNanos the least {@link #meanNanos} of the other replicas
     */
    void compareWith(long tailNanos, long meanNanos);

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
