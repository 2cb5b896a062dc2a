// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.balance;

/** A copy of a read at a cold node: it has no answer. Each run is its next step there, once it has a thread. */
final class CopiedRead implements Runnable {
    final int partition;
    /** The reads under way when it began, itself included. */
    int underWay;

    private final Node replica;
    private final int generation;
    private final int row;
    /** The reads of the disk that it has begun; 0 where it finds its row in the cache. */
    private int diskReads;

    private int diskReadsNeeded;
    private long arrivedNanos;
    private long startedNanos;

    CopiedRead(Node replica, int partition, int row) {
        this.replica = replica;
        this.generation = replica.generation();
        this.partition = partition;
        this.row = row;
    }

    /** The node has it. */
    void arrived() {
        arrivedNanos = replica.now();
    }

    /** It has a thread now. */
    void start() {
        startedNanos = replica.now();
    }

    /** Whether it has waited for longer than a read may take. */
    boolean isLate() {
        return replica.now() - arrivedNanos > Simulation.TIMEOUT_NANOS;
    }

    @Override
    public void run() {
        if (generation != replica.generation()) {
            return;
        }
        if (diskReads == 0 && !replica.rows().find(row)) {
            diskReadsNeeded = replica.diskReadsOfMiss();
        }
        if (diskReads < diskReadsNeeded) {
            diskReads++;
            replica.readDisk(this);
            return;
        }
        if (diskReads > 0) {
            replica.rows().put(row);
        }
        replica.copyEnded(this, diskReads, replica.now() - startedNanos);
    }
}
