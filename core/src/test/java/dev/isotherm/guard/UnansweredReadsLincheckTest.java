// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;

/**
 * Linearizability of the calls that meet in one place: for every interleaving of threads some sequential order of them
 * gives the same answers. No read is answered twice, and none that was given up.
 *
 * <p>The count is exact whenever no call is in progress, and at no instant below the number of reads noted; it is not
 * linearizable with the other calls. Calls on different places are independent: giveUp visits one after the other.
 */
@Param(name = "round", gen = IntGen.class, conf = "0:2")
public class UnansweredReadsLincheckTest {
    private static final long NOW = 1L << 30;
    private static final long THREADS = 3;
    /** A look visits every place: Lincheck must not take that for a lock. */
    private static final int LONGEST_LOOP = 4 * UnansweredReads.PLACES;

    private final UnansweredReads reads = new UnansweredReads();

    private static long id(int round) {
        return 1 + (long) round * UnansweredReads.PLACES;
    }

    @Operation
    public void sent(@Param(name = "round") int round) {
        reads.sent(id(round), Long.MAX_VALUE, NOW);
    }

    @Operation
    public long answered(@Param(name = "round") int round) {
        return reads.answered(id(round), NOW);
    }

    @Operation
    public void giveUp() {
        reads.giveUp(0, NOW);
    }

    /** One read is noted at most, and each other thread counts at most one before it notes it. */
    @Operation
    public boolean countIsPossible() {
        int count = reads.count();
        return count >= 0 && count <= THREADS;
    }

    @Validate
    public void countIsExactInTheEnd() {
        int noted = 0;
        for (int round = 0; round <= 2; round++) {
            noted += reads.answered(id(round), NOW) < 0 ? 0 : 1;
        }
        if (reads.count() != 0 || noted > 1) {
            throw new AssertionError("a count of " + reads.count() + " after all are answered, " + noted + " noted");
        }
    }

    @Test
    void isLinearizable() {
        new ModelCheckingOptions()
                .iterations(10)
                .invocationsPerIteration(200)
                .threads((int) THREADS)
                .actorsPerThread(3)
                .actorsBefore(1)
                .actorsAfter(2)
                .loopBound(LONGEST_LOOP)
                .check(UnansweredReadsLincheckTest.class);
    }
}
