// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.share;

/** How many threads a partition would keep busy if all its operations were admitted. One thread uses it. */
final class Demand {
    /*
     * The rate of the decisions, times the operations that an admitted one brings, times the time that one holds a
     * thread.
     * The rate has the refused decisions included, and is so recent that the part admitted follows at once. The other
     * two change slowly. A decision brings less than one operation where a coordinator decides that then reads from
     * other replicas. While operations are queued those of decisions made before are among the begun ones; then a
     * decision brings at least as many as were begun for the most that were admitted of late, and more than was known
     * counts: else a queue would stand for as long as it hides that reads have come back from other replicas.
     *
     * The time is the mean of the operations that have ended of late. Of long ones none may have ended yet, and the
     * first to end are the shortest: then it is at least the mean of these and of what those under way have taken so
     * far.
     */
    private static final double NEWEST = 0.25;
    /** Decisions, about, that tell the rate where there are few: by fewer it is a matter of chance. */
    private static final double TELLING_THE_RATE = 16;

    private static final double NEWEST_OPERATIONS = 0.05;
    private static final double MOST_OPERATIONS = 4;
    /** The weight of the newest where a queue stands: the longer it stands, the longer all wait. */
    private static final double NEWEST_QUEUED_OPERATIONS = 0.1;
    /** Age, in those of the kept part, at which the most that were admitted counts 1/e. */
    private static final double QUEUE_AGES = 3;
    /** Age of the first decision, in those of the kept part, up to which a queue may hold operations of before it. */
    private static final double FIRST_AGES = 6;
    /** Decisions missed in a row after which the client has gone: one that asks by chance misses them 1 in 50 times. */
    private static final double MOST_MISSED = 4;

    /** Decisions of the first intervals that tell as much as the threads that the partition has held. */
    private static final double TELLING_DECISIONS = 4;

    /** Admitted decisions a second below which an interval tells less. */
    private static final double TELLING_RATE = 2;
    /** Seconds in which a partition is to give back the threads that it holds beyond those that it may. */
    private static final double WORK_OFF_SECONDS = 2;

    private double askedRate = Double.NaN;
    private double decisionRate = Double.NaN;
    private double missed;
    private double admittedRate;
    private double mostAdmittedRate;
    private double begunRate;
    private double endedCount;
    private double endedSeconds;
    private double secondsPerOperation = Double.NaN;
    private double operationsPerDecision = 1;
    private double threads;
    private double admittedThreads;
    private double busyThreads;
    private int firstDecisions;
    private boolean isFirstTold;
    private boolean counted;
    private boolean begun;
    private double ages;
    private int holding;

    /** @param busyThreads the threads that are busy with it, which is all that is known of it yet */
    Demand(double busyThreads) {
        this.busyThreads = busyThreads;
        this.threads = busyThreads;
        this.admittedThreads = busyThreads;
    }

    /**
     * Adds an interval's decisions.
     *
     * @param seconds its length
     * @param operations for how many operations they stand
     * @param decisions how many they are
     * @param part the part of them that was admitted
     * @param kept older ones keep this part of their weight in the admitted rate
     */
    void asked(double seconds, double operations, int decisions, double part, double kept) {
        double rate = operations / seconds;
        missed = decisions > 0 || !(decisionRate > 0) ? 0 : missed + decisionRate * seconds;
        boolean gone = decisions == 0 && (missed == 0 || missed >= MOST_MISSED);
        if (gone || !(askedRate > 0)) {
            // A partition whose client has gone asks for nothing at once.
            askedRate = rate;
            decisionRate = decisions / seconds;
        } else {
            askedRate += Math.min(NEWEST, decisionRate * seconds / TELLING_THE_RATE) * (rate - askedRate);
            // While decisions are missed it says how many are.
            decisionRate += decisions > 0 ? NEWEST * (decisions / seconds - decisionRate) : 0;
        }
        firstDecisions += isFirstTold ? 0 : decisions;
        admittedRate = counted ? admittedRate * kept + rate * part * (1 - kept) : rate * part;
        mostAdmittedRate = Math.max(admittedRate, mostAdmittedRate * Math.pow(kept, 1 / QUEUE_AGES));
        ages -= Math.log(kept);
        counted = true;
    }

    /** Adds the rate at which threads began operations in an interval; that of older ones keeps this part. */
    void began(double rate, double kept) {
        begunRate = begun ? begunRate * kept + rate * (1 - kept) : rate;
        begun = true;
    }

    /**
     * Adds an interval's ends.
     *
     * @param ended the operations that have ended
     * @param seconds how long these have held their threads, together
     * @param holding those that hold a thread at its end
     * @param heldSeconds how long these have held it so far, together
     * @param kept older ones keep this part of their weight
     */
    void lasted(int ended, double seconds, int holding, double heldSeconds, double kept) {
        endedCount = endedCount * kept + ended;
        endedSeconds = endedSeconds * kept + seconds;
        this.holding = holding;
        double known = endedCount + holding;
        if (known > 0) {
            double mean = (endedSeconds + heldSeconds) / known;
            // The quotient of what fades alike stays: where none has ended for long, that of the last ones.
            secondsPerOperation = endedCount > 0 ? Math.max(mean, endedSeconds / endedCount) : mean;
        }
    }

    /**
     * Works out the demand from what was served.
     *
     * @param busy the threads that were busy with the partition
     * @param queued whether admitted operations may still be waiting
     */
    void served(double busy, boolean queued) {
        busyThreads = busy;
        if (begunRate > 0) {
            if (!queued && admittedRate > 0) {
                countOperations(begunRate / admittedRate, NEWEST_OPERATIONS * Math.min(1, admittedRate / TELLING_RATE));
            } else if (queued
                    && ages > FIRST_AGES
                    && mostAdmittedRate > 0
                    && begunRate > operationsPerDecision * mostAdmittedRate) {
                countOperations(begunRate / mostAdmittedRate, NEWEST_QUEUED_OPERATIONS);
            }
        }
        if (secondsPerOperation > 0) {
            double threadsPerRate = secondsPerOperation * operationsPerDecision;
            if (firstDecisions > 0) {
                double held = busy / threadsPerRate;
                askedRate = held + (askedRate - held) * firstDecisions / (firstDecisions + TELLING_DECISIONS);
                isFirstTold = true;
                firstDecisions = 0;
            }
            threads = askedRate * threadsPerRate;
            admittedThreads = admittedRate * threadsPerRate;
        } else if (askedRate == 0) {
            threads = 0;
            admittedThreads = 0;
        }
    }

    private void countOperations(double perDecision, double weight) {
        operationsPerDecision += weight * (Math.min(MOST_OPERATIONS, perDecision) - operationsPerDecision);
    }

    /** The threads for which operations may be admitted, below 0 too, if so many may be busy with it. */
    double admissible(double may) {
        double tooMany = Math.max(0, holding - may);
        return secondsPerOperation > 0 ? may - tooMany * secondsPerOperation / WORK_OFF_SECONDS : may;
    }

    /** The threads that it asks for. */
    double threads() {
        return threads;
    }

    /** The threads that it asks for, or those that it holds, whichever are more. */
    double most() {
        return Math.max(threads, holding);
    }

    /** The threads that its admitted operations keep busy, once none is queued any more. */
    double admittedThreads() {
        return admittedThreads;
    }

    /** The threads that are busy with it. */
    double busyThreads() {
        return busyThreads;
    }
}
