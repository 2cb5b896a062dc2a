// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.share;

/** How many threads a partition would keep busy if all its operations were admitted. One thread uses it. */
final class Demand {
    /*
     * The rate of the decisions, times the operations that an admitted one brings, times the time that one holds a
     * thread.
     * The rate has the refused decisions included, and is so recent that the part admitted follows at once. The other
     * two change slowly. A decision brings less than one operation where a coordinator decides that then reads from
     * other replicas; it is counted only while nothing is queued, since a queue keeps operations of decisions made
     * before.
     */
    private static final double NEWEST = 0.25;
    private static final double NEWEST_OPERATIONS = 0.05;
    private static final double MOST_OPERATIONS = 4;

    private double askedRate = Double.NaN;
    private double admittedRate;
    private double operationsPerDecision = 1;
    private double threads;
    private double admittedThreads;
    private double busyThreads;
    private boolean counted;

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
                double each = Math.min(MOST_OPERATIONS, operationRate / admittedRate);
                operationsPerDecision += NEWEST_OPERATIONS * (each - operationsPerDecision);
            }
            double threadsPerRate = busy / operationRate * operationsPerDecision;
            threads = askedRate * threadsPerRate;
            admittedThreads = admittedRate * threadsPerRate;
        } else if (askedRate == 0) {
            threads = 0;
            admittedThreads = 0;
        }
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
