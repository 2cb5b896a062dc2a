// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.share;

import java.util.function.DoubleSupplier;

/**
 * Whether a pool of threads is saturated, and how much of its time can be given away while it is. One thread uses it.
 */
final class Capacity {
    /*
     * Saturation begins when each request of a whole interval waited longer than the target for a thread: CoDel's rule
     * and its figures (Nichols and Jacobson, "Controlling queue delay", CACM 2012), which serve for the queues of
     * servers too (Maurer, "Fail at scale", CACM 2015). An interval in which the looking thread itself was held up
     * says nothing: the process stood still.
     *
     * A standing queue of q seconds is worked off within DRAIN_SECONDS when as much less is admitted as q is of it.
     *
     * What is scarce may lie behind the threads: a disk or a processor that serves fewer at a time than there are
     * threads. Requests then wait in the threads' hands, an operation holds a thread f times as long as usual, and 1/f
     * of the busy threads would do the same work (as the base round trip of TCP Vegas; Brakmo and Peterson, JSAC
     * 1995). The operations of partitions that are not large tell f: their mean does not depend on who is cut. If f
     * stays when the large ones are cut as far as they may be, they are not its cause, and it is usual from then on.
     *
     * In the other direction the capacity is tried out: while what is admitted uses most of it, or those that are cut
     * may not use more, and operations take no longer than usual, it grows. It begins with a little less than all
     * threads: only beside threads that are left over do clients that wait for their answers ask again for what a queue
     * has kept from them.
     *
     * What was borne when operations took longer, twice in a row and as much, is known to a few hundredths. Near it the
     * capacity grows slowly, and fast again beyond (as CUBIC's window does around its last loss; Ha, Rhee and Xu,
     * SIGOPS 2008). Replicas that go up and down far from what they bear differ at any moment, and one serves in vain
     * what another refuses. Once alone says nothing: operations that began together in a queue take longer, too.
     *
     * What was scarce may have been so for a moment, as a disk that is flushed, and the capacity then is a small part
     * of what is borne now. The longer it has grown fast without a sign that it is too much, the faster it grows.
     */

    private static final double DRAIN_SECONDS = 0.4;
    /** The most that is held back to work off a queue, with which the threads stay busy meanwhile. */
    private static final double MOST_DRAINED = 0.5;

    /** The part of the threads that can be busy at first. */
    private static final double FIRST = 0.95;

    private static final double GROWTH_PER_SECOND = 0.1;
    private static final double SLOW_GROWTH_PER_SECOND = 0.01;
    /** Seconds of fast growth after which its rate doubles each second. */
    private static final double STEADY_GROWTH_SECONDS = 2;

    private static final double MOST_GROWTH_PER_SECOND = 1;
    /** Part of what was borne last from which on the capacity grows slowly. */
    private static final double NEAR = 0.95;
    /** Times what was borne last from which on it grows fast again. */
    private static final double BEYOND = 1.05;
    /** Part by which what was borne may differ from the time before and counts as as much. */
    private static final double SAME = 0.15;
    /** The least part that is given away of what is borne, while a queue behind the threads has to be worked off. */
    private static final double LEAST_GIVEN = 0.8;

    private static final double USED = 0.8;
    private static final double TOLERANCE = 1.1;
    private static final double USUAL_SECONDS = 10;
    /** Seconds between two times that what is usual is worked out while nothing waits: it takes most of a look. */
    private static final double LEARN_EACH_SECONDS = 0.5;
    /** Least seconds of which what is usual says anything. */
    private static final double LEARNT_SECONDS = 5;

    /** How long operations stay slow after the large partitions were cut as far as they may be: queues drain. */
    private static final double PATIENCE_SECONDS = 5;

    /** Ratio to the usual time of operations up to which a longer one has become the usual one. */
    private static final double ACCEPTED = 1.02;

    private static final double QUIET_SECONDS = 1;
    private static final double SHRINK_SECONDS = 1;

    private final long targetNanos;
    private boolean saturated;
    private double threads;
    /** The busy threads that would have done the same work when operations last took longer; 0 if they have not. */
    private double borne;

    /** Whether {@link #borne} was as much the time before. */
    private boolean isConfirmed;

    /** Whether the capacity has grown since it was cut last: if not, what is slow still is the same sign. */
    private boolean hasGrown;

    /** Seconds for which the capacity has grown fast. */
    private double growingSeconds;

    private double available;
    private double usualNanos;
    private double learntSeconds;
    private double unlearntSeconds;
    private double leastSeconds;
    /** Whether the time that operations take now becomes the usual one. */
    private boolean accepting;

    private double quietSeconds;
    private double sinceShrunkSeconds = SHRINK_SECONDS;

    /** @param targetNanos the wait for a thread that is no sign of saturation */
    Capacity(long targetNanos) {
        this.targetNanos = targetNanos;
    }

    /**
     * Takes in an interval.
     *
     * @param seconds its length, above 0
     * @param late whether the looking thread was held up
     * @param leastWaitNanos the least wait for a thread in it
     * @param poolThreads all threads of the pool
     * @param busyThreads the threads that were busy of late, on average
     * @param nanosPerOperation works out the mean time of the operations of partitions that are not large, NaN if that
     *     is unknown; asked for in each interval while the pool is saturated, and each half second otherwise
     * @param cutting how far the large partitions are cut
     */
    void look(
            double seconds,
            boolean late,
            long leastWaitNanos,
            int poolThreads,
            double busyThreads,
            DoubleSupplier nanosPerOperation,
            Cutting cutting) {
        boolean waiting = leastWaitNanos > targetNanos;
        if (!saturated) {
            if (!waiting || late) {
                unlearntSeconds += seconds;
                if (unlearntSeconds >= LEARN_EACH_SECONDS) {
                    learnUsual(nanosPerOperation.getAsDouble(), unlearntSeconds);
                    unlearntSeconds = 0;
                }
                return;
            }
            saturated = true;
            quietSeconds = 0;
            leastSeconds = 0;
            accepting = false;
            threads = FIRST * poolThreads;
            borne = 0;
        }
        quietSeconds = waiting || cutting != Cutting.NONE ? 0 : quietSeconds + seconds;
        if (quietSeconds >= QUIET_SECONDS) {
            saturated = false;
            return;
        }
        double nanos = nanosPerOperation.getAsDouble();
        double slowdown = learntSeconds >= LEARNT_SECONDS ? nanos / usualNanos : 1;
        boolean slow = slowdown > TOLERANCE;
        growingSeconds = slow || waiting ? 0 : growingSeconds;
        leastSeconds = slow && cutting == Cutting.TO_THE_LEAST ? leastSeconds + seconds : 0;
        accepting = leastSeconds > PATIENCE_SECONDS || accepting && slowdown > ACCEPTED;
        sinceShrunkSeconds += seconds;
        if (accepting) {
            learnUsual(nanos, seconds);
        } else if (slow) {
            // As much less as they take longer: that is about what waits behind the threads.
            shrink(busyThreads / slowdown, Math.max(LEAST_GIVEN, 1 / slowdown));
        } else if (!waiting && (cutting.leavesThreadsIdle() || busyThreads > USED * threads)) {
            grow(seconds);
        }
        threads = Math.min(poolThreads, threads);
        double drained = (leastWaitNanos - targetNanos) * 1e-9 / DRAIN_SECONDS;
        available = threads * (1 - Math.max(0, Math.min(MOST_DRAINED, drained)));
    }

    private void grow(double seconds) {
        hasGrown = true;
        if (isConfirmed && threads >= NEAR * borne && threads < BEYOND * borne) {
            threads *= 1 + SLOW_GROWTH_PER_SECOND * seconds;
            growingSeconds = 0;
        } else {
            double rate = GROWTH_PER_SECOND * Math.pow(2, Math.max(0, growingSeconds - STEADY_GROWTH_SECONDS));
            threads *= 1 + Math.min(MOST_GROWTH_PER_SECOND, rate) * seconds;
            growingSeconds += seconds;
        }
    }

    /** Cuts the capacity, unless it has just been cut: that shows only after a while. */
    private void shrink(double nowBorne, double given) {
        if (given * nowBorne < threads && sinceShrunkSeconds >= SHRINK_SECONDS) {
            isConfirmed = hasGrown && Math.abs(nowBorne - borne) < SAME * borne;
            hasGrown = false;
            borne = nowBorne;
            threads = given * nowBorne;
            sinceShrunkSeconds = 0;
        }
    }

    private void learnUsual(double nanos, double seconds) {
        if (nanos > 0) {
            double weight = learntSeconds > 0 ? Math.min(1, seconds / Math.min(learntSeconds, USUAL_SECONDS)) : 1;
            usualNanos = learntSeconds > 0 ? usualNanos + (nanos - usualNanos) * weight : nanos;
            learntSeconds += seconds;
        }
    }

    boolean isSaturated() {
        return saturated;
    }

    /** The threads that may be busy with what is admitted. */
    double available() {
        return available;
    }

    /** The threads that can be busy and do more than fewer would. */
    double threads() {
        return threads;
    }
}
