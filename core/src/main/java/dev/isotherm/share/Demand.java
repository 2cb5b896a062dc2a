// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.share;

/** How many threads a partition would keep busy if all its operations were admitted. One thread uses it. */
final class Demand {
    /*
     * The rate of the decisions, times the operations that an admitted one brings, times the time that one holds a
     * thread.
     * The rate has the refused decisions included, and is so recent that the part admitted follows at once. The other
     * two change slowly. A decision brings less than one operation where a coordinator decides that then reads from
     * other replicas. While operations are queued those of decisions made before are among the served ones; then a
     * decision brings at least as many as were served for the most that were admitted of late, and more than was known
     * counts: else a queue would stand for as long as it hides that reads have come back from other replicas.
     */
    private static final double NEWEST = 0.25;
    private static final double NEWEST_OPERATIONS = 0.05;
    private static final double MOST_OPERATIONS = 4;
    /** The weight of the newest where a queue stands: the longer it stands, the longer all wait. */
    private static final double NEWEST_QUEUED_OPERATIONS = 0.1;
    /** Age, in those of the kept part, at which the most that were admitted counts 1/e. */
    private static final double QUEUE_AGES = 3;
    /** So long a queue may hold operations of before the first decision was counted. */
    private static final double FIRST_AGES = 6;

    private double askedRate = Double.NaN;
    private double admittedRate;
    private double mostAdmittedRate;
    private double operationsPerDecision = 1;
    private double threads;
    private double admittedThreads;
    private double busyThreads;
    private boolean counted;
    private double ages;

    /** @param busyThreads the threads that are busy with it, which is all that is known of it yet */
    Demand(double busyThreads) {
        this.busyThreads = busyThreads;
        this.threads = busyThreads;
        this.admittedThreads = busyThreads;
    }

    /**
     * Adds an interval's decisions.
     *
     * @param rate all of them, a second
     * @param part the part of them that was admitted
     * @param kept older ones keep this part of their weight in the admitted rate
     */
    void asked(double rate, double part, double kept) {
        boolean known = askedRate > 0 && rate > 0;
        // A partition whose client has gone asks for nothing at once.
        askedRate = known ? askedRate + NEWEST * (rate - askedRate) : rate;
        admittedRate = counted ? admittedRate * kept + rate * part * (1 - kept) : rate * part;
        mostAdmittedRate = Math.max(admittedRate, mostAdmittedRate * Math.pow(kept, 1 / QUEUE_AGES));
        ages -= Math.log(kept);
        counted = true;
    }

    /**
     * Works out the demand from what was served.
     *
     * @param busy the threads that were busy with the partition
     * @param operationRate the operations served, a second
     * @param queued whether admitted operations may still be waiting
     */
    void served(double busy, double operationRate, boolean queued) {
        busyThreads = busy;
        if (operationRate > 0) {
            if (!queued && admittedRate > 0) {
                countOperations(operationRate / admittedRate, NEWEST_OPERATIONS);
            } else if (queued
                    && ages > FIRST_AGES
                    && mostAdmittedRate > 0
                    && operationRate > operationsPerDecision * mostAdmittedRate) {
                countOperations(operationRate / mostAdmittedRate, NEWEST_QUEUED_OPERATIONS);
            }
            double threadsPerRate = busy / operationRate * operationsPerDecision;
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

    /** The threads that it asks for. */
    double threads() {
        return threads;
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
