// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.balance;

/** One replica's read for a request; each run is its next step there. */
final class Contact implements Runnable {
    private enum Step {
        ARRIVE,
        SERVED_BY_PROCESSOR,
        SERVED_BY_DISK
    }

    final Request request;
    final Node coordinator;
    final long sentNanos;
    /** The number of the message. */
    final long id;

    private final Node replica;
    private final int generation;
    private final int coordinatorsGeneration;
    private final int row;
    private Step next = Step.ARRIVE;
    /** The reads of the disk that it has begun; 0 where it finds its row in the cache. */
    private int diskReads;

    private int diskReadsNeeded;
    private long arrivedNanos;
    private long startedNanos;
    private int underWay;
    private boolean isAnswered;

    Contact(Request request, Node coordinator, Node replica, int row, long id, long sentNanos) {
        this.request = request;
        this.coordinator = coordinator;
        this.replica = replica;
        this.generation = replica.generation();
        this.coordinatorsGeneration = coordinator.generation();
        this.row = row;
        this.id = id;
        this.sentNanos = sentNanos;
    }

    @Override
    public void run() {
        if (generation != replica.generation()) {
            return;
        }
        switch (next) {
            case ARRIVE:
                arrivedNanos = replica.now();
                receive();
                break;
            case SERVED_BY_PROCESSOR:
                if (replica.rows().find(row)) {
                    end();
                } else {
                    next = Step.SERVED_BY_DISK;
                    diskReadsNeeded = replica.diskReadsOfMiss();
                    readDisk();
                }
                break;
            default:
                if (diskReads < diskReadsNeeded) {
                    readDisk();
                } else {
                    replica.rows().put(row);
                    end();
                }
                break;
        }
    }

    private void receive() {
        if (replica == coordinator) {
            replica.await(this);
        } else {
            replica.handleMessages(() -> replica.await(this));
        }
    }

    /** It has a thread now, as so many reads have, itself included. */
    void start(int readsUnderWay) {
        underWay = readsUnderWay;
        startedNanos = replica.now();
        next = Step.SERVED_BY_PROCESSOR;
    }

    /** Whether the coordinator's process is the one that sent it. */
    boolean isAwaited() {
        return coordinatorsGeneration == coordinator.generation();
    }

    /** The answer is at the coordinator. */
    void answered() {
        isAnswered = true;
    }

    boolean isAnswered() {
        return isAnswered;
    }

    /** Whether the coordinator has given it up while it waited for a thread. */
    boolean isGivenUp() {
        return replica.now() - arrivedNanos >= Simulation.TIMEOUT_NANOS;
    }

    private void readDisk() {
        diskReads++;
        replica.readDisk(this);
    }

    private void end() {
        replica.ended(this, diskReads, replica.now() - startedNanos, underWay);
    }
}
