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
     * A statement that pages within Cassandra, as an aggregate does, brings many, of which the later ones are none of
     * the decisions of an interval: between these it may be that nobody asks, while all threads are held. Where
     * decisions bring many, or more is begun than they explain, it asks at least for the threads that are busy with it;
     * and what is under way is what is busy and what waits, as each operation is followed by the next (Little, "A proof
     * for the queuing formula L = λW", Operations Research 1961). If few threads are busy with what is cut, too many
     * were taken for a statement's.
     *
     * The time is the mean of the operations that have ended of late. Of long ones none may have ended yet, and the
     * first to end are the shortest: then it is at least the mean of these and of what those under way have taken so
     * far.
     */
    private static final double NEWEST = 0.25;
    /** Decisions, about, that tell the rate where there are few: by fewer it is a matter of chance. */
    private static final double TELLING_THE_RATE = 16;

    private static final double NEWEST_OPERATIONS = 0.05;
    /** Operations of a decision up to which they begin at about the time of the decision. */
    private static final double FEW_OPERATIONS = 4;
    /** Times the operations that decisions explain from which on more were begun. */
    private static final double UNEXPLAINED = 2;
    /** The weight of the newest where decisions bring many operations: these are means over long themselves. */
    private static final double NEWEST_MANY_OPERATIONS = 0.25;
    /** Seconds of a wait for a thread from which on what begins says little: it was asked for long before. */
    private static final double LONG_WAIT_SECONDS = 0.5;
    /** Part of what a partition that is cut may hold below which it is admitted too little. */
    private static final double TOO_LITTLE = 0.5;
    /** The part of the operations of a decision that is taken off then, where these take no time. */
    private static final double TAKEN_OFF = 0.1;
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
    private final LongStatements statements = new LongStatements();
    private double seconds;
    private double kept;
    private double newlyAdmitted;
    private double newlyBegun;
    private double waitSeconds;
    private double mayHold;

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
        this.seconds = seconds;
        this.kept = kept;
        newlyAdmitted = operations * part;
    }

    /** Adds the rate at which threads began operations in an interval; that of older ones keeps this part. */
    void began(double rate, double kept) {
        begunRate = begun ? begunRate * kept + rate * (1 - kept) : rate;
        begun = true;
        newlyBegun = rate * seconds;
    }

    /** Sets the least that an operation waits for a thread. */
    void waits(double seconds) {
        waitSeconds = seconds;
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
        boolean isUnexplained = begunRate > UNEXPLAINED * operationsPerDecision * mostAdmittedRate;
        countStatements(queued);
        if (statements.operations() > FEW_OPERATIONS) {
            operationsPerDecision += NEWEST_MANY_OPERATIONS * (statements.operations() - operationsPerDecision);
        } else if (begunRate > 0 && (!bringsMany() || statements.isKnown())) {
            countFewOperations(queued);
        }
        if (secondsPerOperation > 0) {
            double threadsPerRate = secondsPerOperation * operationsPerDecision;
            if (firstDecisions > 0) {
                double held = busy / threadsPerRate;
                askedRate = held + (askedRate - held) * firstDecisions / (firstDecisions + TELLING_DECISIONS);
                isFirstTold = true;
                firstDecisions = 0;
            }
            threads = Math.max(bringsMany() || isUnexplained ? busy : 0, askedRate * threadsPerRate);
            admittedThreads = admittedRate * threadsPerRate;
        } else if (askedRate == 0) {
            threads = 0;
            admittedThreads = 0;
        }
    }

    private void countStatements(boolean queued) {
        if (bringsMany() && threads > mayHold && busyThreads < TOO_LITTLE * mayHold) {
            statements.forget();
            // What is admitted more shows once it has lasted as long as it does.
            operationsPerDecision *= 1 - TAKEN_OFF / (1 + operationsPerDecision * secondsPerOperation);
        } else if (waitSeconds < LONG_WAIT_SECONDS && (!queued || ages > FIRST_AGES)) {
            statements.add(newlyAdmitted, newlyBegun, kept);
        }
        newlyAdmitted = 0;
        newlyBegun = 0;
    }

    private void countFewOperations(boolean queued) {
        if (!queued && admittedRate > 0) {
            countOperations(begunRate / admittedRate, NEWEST_OPERATIONS * Math.min(1, admittedRate / TELLING_RATE));
        } else if (queued
                && ages > FIRST_AGES
                && mostAdmittedRate > 0
                && begunRate > operationsPerDecision * mostAdmittedRate) {
            countOperations(begunRate / mostAdmittedRate, NEWEST_QUEUED_OPERATIONS);
        }
    }

    private void countOperations(double perDecision, double weight) {
        operationsPerDecision += weight * (Math.min(FEW_OPERATIONS, perDecision) - operationsPerDecision);
    }

    private boolean bringsMany() {
        return operationsPerDecision > FEW_OPERATIONS && secondsPerOperation > 0;
    }

    /** The threads that would be busy with it if each operation of a statement had one at once. */
    private double underWay() {
        return busyThreads * (1 + waitSeconds / secondsPerOperation);
    }

    /** The threads for which operations may be admitted, below 0 too, if so many may be busy with it. */
    double admissible(double may) {
        mayHold = may;
        if (!(secondsPerOperation > 0)) {
            return may;
        }
        double held = bringsMany() ? Math.max(holding, underWay()) : holding;
        double secondsHeld = bringsMany() ? secondsPerOperation * operationsPerDecision : secondsPerOperation;
        return may - Math.max(0, held - may) * secondsHeld / WORK_OFF_SECONDS;
    }

    /** The threads that it asks for. */
    double threads() {
        return threads;
    }

    /** The threads that it asks for, or those that it holds, whichever are more. */
    double most() {
        return Math.max(threads, holding);
    }

    /**
     * The threads that its admitted operations would keep busy if none was queued.
     *
     * @param queued whether they may be waiting, of those of which a decision brings few
     */
    double unqueuedThreads(boolean queued) {
        double admitted = queued ? admittedThreads : busyThreads;
        return bringsMany() ? Math.max(admitted, underWay()) : admitted;
    }

    /** How long one of its operations holds a thread, on average; 0 if that is unknown. */
    double secondsPerOperation() {
        return secondsPerOperation > 0 ? secondsPerOperation : 0;
    }

    /** The threads that are busy with it. */
    double busyThreads() {
        return busyThreads;
    }
}
