// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

/**
 * The reads that this node serves itself, for its own requests and for other coordinators, judged by what its read
 * threads do. Used by one thread.
 */
final class LocalReads implements ReadWatch {
    /*
     * Nobody tells when a local read begins, so the single read has no age. Two sums tell as much. The reads that end
     * tell how long reads take: the mean over the last looks, against the usual mean. Those that do not end show in the
     * number of busy and waiting tasks: by Little's law a load of ended tasks keeps (their time)/(time elapsed) of them
     * busy on average, so whatever stays busy beyond twice that for a whole stretch does not end.
     */

    /**
     * Local reads are late when their mean is this many times the usual one and as long as a single read of another
     * replica may take.
     */
    private static final double PATIENCE = 4;
    /** The same during a trial. */
    private static final double PATIENCE_OF_TRIAL = 3;
    /** Times the usual mean from which on reads wait in a queue: where none waits, they take as long as their mean. */
    private static final double QUEUE = 2;
    /** Fewer reads than this have no mean worth judging. */
    private static final int LEAST_READS = 3;

    private static final double LEAST_LEARNED = 100;
    /** Seconds in a row in which the mean must be much longer than elsewhere: a single long read is no slow disk. */
    private static final int SLOW_SECONDS = 5;
    /** A trial by a mean of at most so many times the least of another node is passed too. */
    private static final double MEANS_ELSEWHERE = 2;

    private GuardSettings settings;
    private final Starvation starvation = new Starvation();
    private final RecentMean recent = new RecentMean();
    private final ReadStageLooks looks = new ReadStageLooks();
    private boolean begun;
    private boolean fresh;
    private int looksWithoutEnd;
    private long lastEnded;
    private long lastReadNanos;
    private long lastOtherNanos;
    private long lastNanos;
    private long secondEnded;
    private long secondNanos;
    private double learnedReads;
    private double learnedNanos;
    private final PausedReads paused = new PausedReads();
    /** Whether reads have ended that nobody observed. */
    private volatile boolean unseen;

    private boolean leaves;
    private boolean onTrial;
    /** The reads that have ended since this node was last tried or used again. */
    private long sinceReads;
    /** The time that these reads took together. */
    private long sinceNanos;
    /** Whether a mean since then was late by the node's own past. */
    private boolean beyondOwn;

    private final Excuse excuse = new Excuse();
    private long othersUsualTailNanos;
    private long othersMeanNanos;
    private long slowFromNanos = Long.MAX_VALUE;
    private int slowSeconds;
    private final ColdStart start = new ColdStart(true);

    private long ownPatienceNanos;
    private volatile int depth;
    private volatile long patienceNanos;

    LocalReads(GuardSettings settings) {
        this.settings = settings;
        this.patienceNanos = settings.mostPatienceNanos();
    }

    @Override
    public void use(GuardSettings changed) {
        settings = changed;
    }

    /**
     * Notes the state of the read threads, about twenty times a second.
     *
     * @param tasks tasks of the read threads, being served or waiting
     * @param reads single-partition reads ended since the node started
     * @param nanosOfReads the time that these took, without the wait for a thread
     * @param nanosOfOthers the time that the other ended tasks of these threads took, such as range reads
     * @param lostNanos how long this process did not run since the last call, 0 or above
     * @param nowNanos of a clock that stands still while this process does not run
     */
    void observe(int tasks, long reads, long nanosOfReads, long nanosOfOthers, long lostNanos, long nowNanos) {
        if (unseen) {
            unseen = false;
            beginAnew();
        }
        if (begun) {
            paused.add(lostNanos, Math.max(tasks, looks.mostTasks()));
            long ended = Math.max(0, reads - lastEnded);
            long usual = usualNanos();
            long readNanos =
                    paused.without(Math.max(0, nanosOfReads - lastReadNanos), ended, usual < 0 ? patienceNanos : usual);
            long otherNanos = Math.max(0, nanosOfOthers - lastOtherNanos);
            looks.add(tasks, ended, readNanos, otherNanos, Math.max(1, nowNanos - lastNanos));
            secondEnded += ended;
            secondNanos += readNanos;
            sinceReads += ended;
            sinceNanos += readNanos;
            fresh = true;
            looksWithoutEnd = ended > 0 ? 0 : looksWithoutEnd + 1;
        }
        begun = true;
        depth = tasks;
        lastEnded = reads;
        lastReadNanos = nanosOfReads;
        lastOtherNanos = nanosOfOthers;
        lastNanos = nowNanos;
    }

    /** Reads may have ended unseen: the next observation is the first of all. Any thread calls. */
    void endedUnseen() {
        unseen = true;
    }

    private void beginAnew() {
        begun = false;
        looks.clear();
        looksWithoutEnd = 0;
        secondEnded = 0;
        secondNanos = 0;
        paused.clear();
        trust();
    }

    /**
     * Notes the time since the last look.
     *
     * @param nanos the time that has passed, 0 or above
     * @param lostNanos how much of it this process did not run, 0 to nanos
     */
    void passed(long nanos, long lostNanos) {
        starvation.passed(nanos, lostNanos);
    }

    /** Whether this process hardly runs. */
    boolean isStarved() {
        return starvation.isStarved();
    }

    /** Whether other nodes should not count on this one. */
    boolean isNoHelp() {
        return starvation.isNoHelp();
    }

    /** Takes whether others are to serve this node's reads while it is starved. */
    void leave(boolean reads) {
        leaves = reads;
    }

    @Override
    public void see(Evidence into, long nowNanos) {
        into.clear();
        // A trial goes on when a read has ended; where none ends, after as long as it takes to tell that some do not.
        boolean answered = fresh && (looks.endedLast() > 0 || looksWithoutEnd >= ReadStageLooks.LOOKS);
        into.unanswered = answered ? 0 : 1;
        looksWithoutEnd = answered ? 0 : looksWithoutEnd;
        into.slow = onTrial
                ? !start.isCold() && sinceReads > 0 && sinceNanos / sinceReads > slowFromNanos
                : slowSeconds >= SLOW_SECONDS;
        long reads = looks.ended();
        long nanos = looks.readNanos();
        beyondOwn |= reads >= LEAST_READS && nanos > reads * ownPatienceNanos;
        into.beyondOwn = beyondOwn;
        into.asElsewhere = sinceReads >= (onTrial ? 1 : Avoidance.PROVING_ANSWERS)
                && sinceNanos <= MEANS_ELSEWHERE * othersMeanNanos * sinceReads;
        if (reads >= LEAST_READS && nanos > reads * patienceNanos) {
            into.overdue = (int) Math.min(reads, Integer.MAX_VALUE);
        } else if (fresh) {
            into.good = (int) Math.min(looks.endedLast(), Integer.MAX_VALUE);
        }
        int stuck = looks.unexplained();
        // After each of many pauses tasks come in a burst, and so does this look: the number of busy ones says nothing
        // then.
        into.overdue += starvation.isRunning() || reads == 0 ? stuck : 0;
        into.hangs = stuck > 0;
        into.silent = stuck >= Lateness.LEAST_LATE && reads == 0;
        into.starved = starvation.isStarved();
        into.leaves = into.starved && leaves;
        if (into.leaves) {
            into.overdue = (int) Math.max(into.overdue, Math.max(Lateness.LEAST_LATE, reads));
        }
        fresh = false;
    }

    @Override
    public void judgeFrom(long nowNanos) {
        looks.clear();
        onTrial = true;
        beginMean();
        updatePatience();
    }

    /** Unknown while none ends, however quick they were before. */
    @Override
    public long meanNanos() {
        boolean noneEnds = looks.areComplete() && depth > 0 && looks.ended() == 0;
        return noneEnds ? -1 : recent.nanos();
    }

    /** A bound: no more than one read in four takes four times the mean or more, by Markov's inequality. */
    @Override
    public long latestNanos(double part) {
        long mean = meanNanos();
        return mean < 0 ? -1 : (long) (mean / (1 - part));
    }

    @Override
    public double spread() {
        return -1;
    }

    @Override
    public long usualTailNanos() {
        return -1;
    }

    @Override
    public long judgedOverNanos() {
        return looks.spanNanos();
    }

    @Override
    public long waitNanos(long nowNanos) {
        return Math.max(looks.readNanos() / Math.max(1, looks.ended()), looks.leastWaitNanos());
    }

    @Override
    public long usualWaitNanos() {
        return (long) (QUEUE * Math.max(0, usualNanos()));
    }

    @Override
    public long betterOffNanos(long nowNanos) {
        return (long) (waitNanos(nowNanos) / PATIENCE);
    }

    @Override
    public boolean letsWait(long nanos, long withinNanos, long nowNanos) {
        return withinNanos >= Math.max(nanos, looks.latestNanos()) && looks.waitNanos() > nanos;
    }

    @Override
    public void compareWith(Elsewhere elsewhere) {
        othersUsualTailNanos = elsewhere.usualTailNanos(this);
        othersMeanNanos = elsewhere.meanNanos(this);
        slowFromNanos = Learning.muchLongerNanos(settings, elsewhere.typicalMeanNanos(this));
        updatePatience();
    }

    @Override
    public void excuse() {
        excuse.begin(othersMeanNanos);
        updatePatience();
    }

    private void beginMean() {
        sinceReads = 0;
        sinceNanos = 0;
        beyondOwn = false;
    }

    @Override
    public void trust() {
        onTrial = false;
        slowSeconds = 0;
        beginMean();
        updatePatience();
    }

    private void updatePatience() {
        // A mean hides the slow reads of a disk that serves most of them from its cache: a trial gives it no more time
        // than means elsewhere do.
        ownPatienceNanos = onTrial
                ? settings.patience(PATIENCE_OF_TRIAL, usualNanos())
                : Math.max(
                        settings.patience(PATIENCE, usualNanos()),
                        settings.patience(RemoteReads.PATIENCE, othersUsualTailNanos));
        patienceNanos = onTrial
                ? Math.max(ownPatienceNanos, settings.patience(MEANS_ELSEWHERE, Math.max(0, othersMeanNanos)))
                : ownPatienceNanos;
    }

    private long usualNanos() {
        return learnedReads < LEAST_LEARNED ? -1 : (long) Math.max(excuse.nanos(), learnedNanos / learnedReads);
    }

    @Override
    public long patienceNanos() {
        return patienceNanos;
    }

    @Override
    public void learn(boolean inUse) {
        recent.second(secondEnded, secondNanos);
        excuse.second();
        // Their mean is compared with one, as trials of them are.
        if (secondEnded > 0 && secondNanos / secondEnded <= Learning.mostNanos(inUse, settings, othersMeanNanos)) {
            learnedReads = learnedReads * Learning.kept(inUse) + Learning.weight(inUse) * secondEnded;
            learnedNanos = learnedNanos * Learning.kept(inUse) + Learning.weight(inUse) * secondNanos;
        }
        boolean known = secondEnded >= LEAST_READS && slowFromNanos < Long.MAX_VALUE;
        if (known) {
            start.second(secondNanos / secondEnded <= slowFromNanos / 2);
        }
        boolean slow = known && !start.isCold() && secondNanos / secondEnded > slowFromNanos;
        slowSeconds = slow ? slowSeconds + 1 : 0;
        secondEnded = 0;
        secondNanos = 0;
        updatePatience();
    }

    @Override
    public int unanswered() {
        return depth;
    }

    @Override
    public long oldestNanos(long nowNanos) {
        return -1;
    }
}
