// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import dev.isotherm.common.SplitMix64;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The partitions that get so large a part of one coordinator's reads that these are to be spread over all of their
 * replicas. Thread safe, without locks; nothing is allocated for a read.
 */
public final class HeavyHitters {
    /*
     * Under affinity a partition has as many replicas that serve it as a read contacts: with one, a partition that all
     * clients read at once is one node's alone, whose processors it fills, while the coordinators beside it, which have
     * the rows too, forward to it. Spread over all replicas it takes one row more of each one's cache.
     *
     * Clients that are aware of tokens send a partition's requests to its replicas. One that has the part p of the
     * reads of each of its R replicas' coordinators makes the one that serves it R p busier than it would be: a
     * twentieth with three replicas and a 64th.
     *
     * One read in eight is counted, in a cell by a hash of its partition; partitions that share a cell are counted
     * together, and taken for one. When 4,096 have been counted all cells are halved, so that a partition that was
     * heavy is forgotten after about as many. Where fewer were counted the least number keeps chance away: of a
     * thousand cells hardly one holds eight of a hundred reads.
     */
    /** The part of the reads that makes a partition heavy. */
    public static final double HEAVY_PART = 1.0 / 64;

    private static final int LEAST = 8;
    private static final int ONE_IN = 8;
    private static final int WINDOW = 4096;
    private static final int CELL_BITS = 10;
    private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(int[].class);

    private final int[] cells = new int[1 << CELL_BITS];
    private final AtomicInteger counted = new AtomicInteger();

    /**
     * A read of the partition begins.
     *
     * @param partition any number that tells partitions apart
     * @param random any 32 bits, by which the read is counted or not
     * @return whether the partition is heavy
     */
    public boolean saw(long partition, int random) {
        int cell = (int) (SplitMix64.mix(partition) >>> Long.SIZE - CELL_BITS);
        int reads = (int) CELL.getOpaque(cells, cell);
        if (Integer.remainderUnsigned(random, ONE_IN) == 0) {
            // Two threads may count for one: the cell of a heavy partition is that of many threads.
            CELL.setOpaque(cells, cell, ++reads);
            if (counted.incrementAndGet() >= WINDOW) {
                halve();
            }
        }
        return reads >= LEAST && reads >= HEAVY_PART * counted.get();
    }

    private synchronized void halve() {
        if (counted.get() < WINDOW) {
            return; // Another thread has.
        }
        for (int cell = 0; cell < cells.length; cell++) {
            CELL.setOpaque(cells, cell, (int) CELL.getOpaque(cells, cell) / 2);
        }
        counted.addAndGet(-WINDOW / 2);
    }
}
