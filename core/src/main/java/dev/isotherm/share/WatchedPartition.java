// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.share;

import dev.isotherm.common.SplitMix64;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A large partition of a saturated node, and the part of its operations that is admitted. Any thread asks; one thread
 * sets the part.
 */
public final class WatchedPartition {
    private static final double ALL = 0x1p32;
    private static final int ENDED = 44;
    private static final int TIME_BITS = 8;
    private static final double LEAST_PART = 1.0 / FairShare.MOST_WEIGHT;
    /** Odd, so that each number comes once in 2^32. */
    private static final int STEP = (int) (SplitMix64.GOLDEN_GAMMA >>> 32);

    private final long partition;
    /** The decisions that refused nothing, in the lower half, and for how many operations they stand, in the upper. */
    private final AtomicLong unrefused = new AtomicLong();
    /** The same of the decisions that refused. */
    private final AtomicLong refused = new AtomicLong();

    /** The operations that have ended, from bit {@link #ENDED} on, and the time that they took, in 2^8 nanoseconds. */
    private final AtomicLong ended = new AtomicLong();
    /** Those of them that were known to have begun. */
    private final AtomicInteger endedLong = new AtomicInteger();

    private final AtomicInteger numbers;
    private volatile double mostShare = 1;
    private volatile double held;
    private volatile double mayHold = 1;
    /** The number, of the 2^32, below which operations are admitted. */
    private volatile long admitted = (long) ALL;

    /** What it asks for; for the looking thread. */
    final Demand demand;

    // For the looking thread: the operations that were told of as holding a thread since the last look.
    private int holding;
    /** Those of them that were not known to have begun. */
    private int begunHolding;

    private long heldNanos;
    /** The part of the threads' time that it holds by its cut, and is not known to have held so far. */
    private double unknown;

    private double refusedElsewhere;
    private double wholeSeconds;
    private boolean told;

    /** @param busyThreads the threads that are busy with it */
    WatchedPartition(long partition, double busyThreads) {
        this.partition = partition;
        this.numbers = new AtomicInteger((int) SplitMix64.mix(partition));
        this.demand = new Demand(busyThreads);
    }

    /**
     * The 32 bits by which to decide about the next operation that asks on this node. Numbers one after the other are
     * spread as evenly as multiples of the golden ratio are (Weyl, "Über die Gleichverteilung von Zahlen mod. Eins",
     * Mathematische Annalen 1916), so that operations are admitted at nearly equal distances: by chance they would come
     * in bursts, behind which those of others wait.
     */
    public int nextNumber() {
        return numbers.getAndAdd(STEP);
    }

    /** Whether the operation is refused; counts it in any case, for as many as it stands for. */
    boolean refuses(double most, int random, int weight) {
        if (mostShare != most) {
            mostShare = most;
        }
        boolean refuses = (random & 0xFFFFFFFFL) >= admitted;
        (refuses ? refused : unrefused).getAndAdd(standingFor(weight));
        return refuses;
    }

    private static long standingFor(int weight) {
        return ((long) weight << Integer.SIZE) + 1;
    }

    /** The id with which operations ask. */
    public long partition() {
        return partition;
    }

    /**
     * The part of the threads' time that it holds as of the last look, 0 to 1; not less than {@link #mayHold} when its
     * cut begins.
     */
    public double held() {
        return held;
    }

    /** The part of the threads' time that it may hold as of the last look, 0 to 1; of all threads, as held. */
    public double mayHold() {
        return mayHold;
    }

    /** The part of its operations that is admitted at present, 0 to 1. */
    public double admittedPart() {
        return admitted / ALL;
    }

    /**
     * For how many operations one stands that is admitted with the present part.
     *
     * @param random in [0, 1)
     */
    public int weight(double random) {
        return Weight.of(admittedPart(), random);
    }

    /** The part of the operations asked for that other nodes refuse, of late; for the looking thread. */
    double refusedElsewhere() {
        return refusedElsewhere;
    }

    /** Whether operations on it are refused at present. */
    public boolean isCut() {
        return admitted < (long) ALL;
    }

    /** The most that its operations say it may hold; 1 if they say nothing. */
    double mostShare() {
        return mostShare;
    }

    /** A thread has served an operation for so long, and goes on. For the looking thread. */
    void holds(long nanos, boolean isNew) {
        holding++;
        heldNanos += nanos;
        begunHolding += isNew ? 1 : 0;
    }

    /** A thread has served an operation for so long. */
    void ended(long nanos, boolean isNew) {
        if (!isNew) {
            endedLong.getAndIncrement();
        }
        ended.getAndAdd((1L << ENDED) + (nanos + (1 << TIME_BITS - 1) >> TIME_BITS));
    }

    /**
     * Takes the operations asked for since the last call; older ones keep this part of their weight.
     *
     * @param enforced whether what is refused has not been served
     */
    void look(double seconds, double kept, boolean enforced) {
        long served = unrefused.getAndSet(0);
        long others = refused.getAndSet(0);
        double operations = (served >>> Integer.SIZE) + (others >>> Integer.SIZE);
        int decisions = (int) served + (int) others;
        // Counted, not expected from the part that is admitted: another node has thinned those that come from it, and
        // a weight of 1, which is drawn for any part above a half, does not say so.
        // Where nothing is refused here, all that others have admitted is served.
        double part = operations > 0 ? (enforced ? (int) served : decisions) / operations : 1;
        double elsewhere = operations > 0 ? 1 - decisions / operations : 0;
        refusedElsewhere = refusedElsewhere * kept + elsewhere * (1 - kept);
        demand.asked(seconds, operations, decisions, part, kept);
        long ends = ended.getAndSet(0);
        int count = (int) (ends >>> ENDED);
        double endedSeconds = ((ends & (1L << ENDED) - 1) << TIME_BITS) * 1e-9;
        demand.lasted(count, endedSeconds, holding, heldNanos * 1e-9, kept);
        demand.began(Math.max(0, count - endedLong.getAndSet(0) + begunHolding) / seconds, kept);
        holding = 0;
        begunHolding = 0;
        heldNanos = 0;
        wholeSeconds = isCut() ? 0 : wholeSeconds + seconds;
        unknown *= kept;
    }

    /** Admits so many threads' worth of operations; the pool has so many threads, whether they can be busy or not. */
    void admit(double threads, double poolThreads) {
        // Never nothing: what is not admitted tells nothing of its cost any more.
        double part = Math.max(LEAST_PART, demand.admissible(threads) / demand.threads());
        double may = poolThreads > 0 ? Math.min(1, threads / poolThreads) : 1;
        double known = poolThreads > 0 ? Math.min(1, demand.busyThreads() / poolThreads) : 0;
        if (!(part < 1)) {
            unknown = 0;
        } else if (!isCut()) {
            // It asks for more than this, of which a mean over half a second knows only a part after a tenth of one.
            unknown = Math.max(0, may - known);
        }
        // Before the part: whoever is refused is told of them.
        held = Math.min(1, known + unknown);
        mayHold = may;
        admitted = part < 1 ? (long) (ALL * part) : (long) ALL;
    }

    /** Whether it has begun to be cut, as of the first call that sees it. */
    boolean begins() {
        boolean begins = isCut() && !told;
        told |= begins;
        return begins;
    }

    /** Whether it was cut and has been admitted whole for this long, as of the first call that sees it. */
    boolean ends(double seconds) {
        boolean ends = told && !isCut() && wholeSeconds >= seconds;
        told &= !ends;
        return ends;
    }

    /** Whether it was said to be cut, as of the first call: it is watched no longer. */
    boolean leaves() {
        boolean leaves = told;
        told = false;
        return leaves;
    }
}
