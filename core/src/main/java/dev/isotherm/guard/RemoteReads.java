// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/** The reads of one coordinator that another node serves: which are unanswered, and how long answers usually take. */
final class RemoteReads implements ReadWatch {
    /** A read is late after twice the 99th percentile of the round trips. */
    static final double PATIENCE = 2;
    /** During a trial it is late after 1.4 times, or 1.4 times what one takes elsewhere if that is more. */
    static final double PATIENCE_OF_TRIAL = 1.4;
    /** No answer for this many times the patience is silence. */
    private static final int SILENCE = 2;
    /** Times the patience after which one unanswered read alone is silence: a single one may take long by itself. */
    private static final int SILENCE_OF_ONE = 5 * SILENCE;

    /** Reads take as long as elsewhere while their mean is at most so many times the least of another replica. */
    private static final double MEANS_ELSEWHERE = 1.25;
    /** Seconds after a trial for which answers are still compared, as during it: a relapse is over by then. */
    private static final int COMPARED_SECONDS = 4;
    /** How long past its patience an unanswered read counts as overdue; after that it is overdueLonger. */
    private static final long LATELY_NANOS = 500_000_000;

    private static final VarHandle ANSWERS = field("answers", int.class);
    private static final VarHandle ANSWERS_NANOS = field("answersNanos", long.class);

    private volatile GuardSettings settings;
    private final LongSupplier giveUpNanos;
    private final LongSupplier giveUpLastingNanos;
    private final LongestLasting longestLasting = new LongestLasting();

    private final UnansweredReads reads = new UnansweredReads();
    /** The reads that may take as long as they do: they tell whether the replica answers at all, and no more. */
    private final UnansweredReads lasting = new UnansweredReads();

    private final RoundTripTail usual = new RoundTripTail();
    private final AtomicInteger good = new AtomicInteger();
    private final AtomicInteger late = new AtomicInteger();
    private final AtomicInteger stray = new AtomicInteger();
    private final AtomicInteger lasted = new AtomicInteger();
    private volatile long judgedFromNanos;
    private volatile long lastAnswerNanos;
    private volatile long patienceNanos;
    private volatile boolean onTrial;
    private long othersTailNanos = -1;
    private long othersMeanNanos = -1;
    private final Excuse excuse = new Excuse();
    /** The answers since it was last tried or used again. */
    private volatile int answers;
    /** The time that these took together. */
    private volatile long answersNanos;
    /** Whether one of these answers took longer than by the replica's own past. */
    private volatile boolean beyondOwn;

    private volatile long ownPatienceNanos;
    private int comparedSeconds;
    /** Whether answers are compared with what others take: during a trial and for some seconds after it. */
    private volatile boolean compared;

    private final SlowerThanMost slow;
    /** No unanswered read was sent before this instant, as of the last pass over all. */
    private long noneSentBefore;

    /**
     * @param giveUpNanos the age at which Cassandra gives up a read, 1 or above
     * @param giveUpLastingNanos that of one that may take as long as it does
     * @param mayBeCold whether its cache may be cold, as of a node that has restarted, or that the coordinator reads
     *     from after others: it is not slow until it was once as quick as others
     */
    RemoteReads(
            GuardSettings settings,
            LongSupplier giveUpNanos,
            LongSupplier giveUpLastingNanos,
            boolean mayBeCold,
            long nowNanos) {
        this.settings = settings;
        this.giveUpNanos = giveUpNanos;
        this.giveUpLastingNanos = giveUpLastingNanos;
        this.slow = new SlowerThanMost(mayBeCold);
        this.judgedFromNanos = nowNanos;
        this.lastAnswerNanos = nowNanos;
        this.patienceNanos = settings.mostPatienceNanos();
        this.noneSentBefore = nowNanos;
    }

    void sent(long id, long nowNanos) {
        reads.sent(id, nowNanos - judgedFromNanos, nowNanos);
    }

    /** Notes a read that is late at no age. */
    void sentLasting(long id, long nowNanos) {
        lasting.sent(id, nowNanos - judgedFromNanos, nowNanos);
    }

    /** Takes an answer of any kind; answers to other messages than reads change nothing. */
    void answered(long id, long nowNanos) {
        long roundTrip = reads.answered(id, nowNanos);
        if (roundTrip < 0) {
            answeredLasting(id, nowNanos);
            return;
        }
        lastAnswerNanos = nowNanos;
        usual.record(roundTrip);
        AtomicInteger outcome =
                nowNanos - roundTrip - judgedFromNanos < 0 ? stray : roundTrip > patienceNanos ? late : good;
        if (compared && outcome != stray) {
            ANSWERS.getAndAdd(this, 1);
            ANSWERS_NANOS.getAndAdd(this, roundTrip);
            if (roundTrip > ownPatienceNanos) {
                beyondOwn = true;
            }
            slow.answered(roundTrip);
        }
        // Last: a look that finds this answer finds it compared.
        outcome.getAndIncrement();
    }

    private void answeredLasting(long id, long nowNanos) {
        long roundTrip = lasting.answered(id, nowNanos);
        if (roundTrip < 0) {
            return;
        }
        lastAnswerNanos = nowNanos;
        longestLasting.took(roundTrip);
        (nowNanos - roundTrip - judgedFromNanos < 0 ? stray : lasted).getAndIncrement();
    }

    @Override
    public void see(Evidence into, long nowNanos) {
        into.clear();
        into.good = good.getAndSet(0);
        into.late = late.getAndSet(0);
        into.stray = stray.getAndSet(0);
        into.lasted = lasted.getAndSet(0);
        into.beyondOwn = beyondOwn;
        into.asElsewhere = compared
                && answers >= (onTrial ? 1 : Avoidance.PROVING_ANSWERS)
                && answersNanos <= MEANS_ELSEWHERE * othersMeanNanos * answers;
        into.slow = onTrial ? slow.isSlowBy(answers) : slow.isSlow();
        into.noneQuick = onTrial ? slow.isNoneQuickBy(answers) : slow.isNoneQuick();
        long judged = nowNanos - judgedFromNanos;
        if (lasting.count() > 0) {
            into.lasting = lasting.countOfAge(0, judged, nowNanos);
            long silence = silenceOfLastingNanos();
            into.mute = nowNanos - lastAnswerNanos >= silence && lasting.countOfAge(silence, judged, nowNanos) > 0;
            lasting.giveUp(Math.max(giveUpLastingNanos.getAsLong(), silence + patienceNanos), nowNanos);
        }
        if (reads.count() == 0) {
            return;
        }
        if (!onTrial && areYounger(patienceNanos, nowNanos)) {
            return; // As nearly always.
        }
        long patience = patienceNanos;
        into.unanswered = reads.countOfAge(0, judged, nowNanos);
        if (passOldest(nowNanos) < patience) {
            return;
        }
        long lately = Math.min(judged, patience + LATELY_NANOS);
        into.overdue = reads.countOfAge(patience, lately, nowNanos);
        into.overdueLonger = reads.countOfAge(lately + 1, judged, nowNanos);
        into.hangs = reads.countOfAge(settings.patience(PATIENCE, Math.max(0, othersTailNanos)), judged, nowNanos) > 0;
        long silence = SILENCE * patience;
        into.silent = isSilent(silence, judged, nowNanos);
        // Where Cassandra gives reads up sooner than they are late, they are remembered until silence has shown.
        reads.giveUp(Math.max(giveUpNanos.getAsLong(), silenceOfOneNanos() + patience), nowNanos);
    }

    /** The time without an answer after which unanswered reads that may take as long as they do are silence. */
    private long silenceOfLastingNanos() {
        long usual = Math.max(SILENCE * settings.mostPatienceNanos(), giveUpLastingNanos.getAsLong() / 2);
        return Math.max(usual, SILENCE * longestLasting.nanos());
    }

    private long silenceOfOneNanos() {
        long patience = patienceNanos;
        return Math.min(SILENCE_OF_ONE * patience, SILENCE * Math.max(settings.mostPatienceNanos(), patience));
    }

    /** One that was overdue while others were answered takes long for itself, and tells nothing of silence. */
    private boolean isSilent(long silence, long judged, long nowNanos) {
        long sinceAnswer = nowNanos - lastAnswerNanos;
        if (sinceAnswer < silence) {
            return false;
        }
        long patience = patienceNanos;
        long most = Math.min(judged, sinceAnswer + patience);
        return reads.countOfAge(silenceOfOneNanos(), most, nowNanos) > 0
                || reads.countOfAge(silence, most, nowNanos) > 0 && reads.countOfAge(patience, most, nowNanos) > 1;
    }

    @Override
    public void judgeFrom(long nowNanos) {
        onTrial = true;
        judgedFromNanos = nowNanos;
        // What was answered since the last look was sent before this instant, too.
        stray.getAndAdd(good.getAndSet(0) + late.getAndSet(0) + lasted.getAndSet(0));
        beginMean();
        updatePatience();
    }

    @Override
    public void trust() {
        onTrial = false;
        usual.beginLatest();
        slow.beginAnew();
        beginMean();
        updatePatience();
    }

    @Override
    public void excuse() {
        excuse.begin(othersTailNanos);
        updatePatience();
    }

    private void beginMean() {
        answers = 0;
        answersNanos = 0;
        slow.beginTrial();
        beyondOwn = false;
        comparedSeconds = COMPARED_SECONDS;
        compared = true;
    }

    @Override
    public void use(GuardSettings changed) {
        settings = changed;
    }

    private void updatePatience() {
        long own = usual.nanos() < 0 ? -1 : Math.max(usual.nanos(), excuse.nanos());
        ownPatienceNanos = settings.patience(onTrial ? PATIENCE_OF_TRIAL : PATIENCE, own);
        patienceNanos = onTrial && own >= 0
                ? settings.patience(PATIENCE_OF_TRIAL, Math.max(own, othersTailNanos))
                : ownPatienceNanos;
    }

    @Override
    public long usualTailNanos() {
        return usual.nanos();
    }

    @Override
    public long meanNanos() {
        return usual.recentMeanNanos();
    }

    @Override
    public long latestNanos(double part) {
        return usual.latest().nanos(part);
    }

    @Override
    public long medianRoundTripNanos() {
        return usual.latest().nanosAtLast(0.5);
    }

    @Override
    public double spread() {
        long mean = usual.recentMeanNanos();
        // The mean may hold an overload for longer.
        return mean > 0 && usual.recentNanos() >= 0 ? Math.max(1, (double) usual.recentNanos() / mean) : -1;
    }

    @Override
    public long waitNanos(long nowNanos) {
        return Math.max(patienceNanos, reads.oldestNanos(nowNanos));
    }

    /** A single read may take long by itself, or be lost. */
    @Override
    public long betterOffNanos(long nowNanos) {
        return (long) (Math.max(patienceNanos, reads.thirdOldestNanos(nowNanos)) / PATIENCE);
    }

    /** More reads than take long by themselves; what has waited for much longer may be lost, or given up there. */
    @Override
    public boolean letsWait(long nanos, long withinNanos, long nowNanos) {
        long mostNanos = Math.max(nanos, patienceNanos);
        return reads.count() >= Lateness.LEAST_LATE
                && !areYounger(nanos, nowNanos)
                && mostNanos < Long.MAX_VALUE - LATELY_NANOS
                && passOldest(nowNanos) >= nanos
                && reads.countOfAge(nanos, Math.min(withinNanos, mostNanos + LATELY_NANOS), nowNanos)
                        >= Lateness.LEAST_LATE;
    }

    /** Whether no read can be as old, by the last pass over all. Such a pass takes its time: nodes may be hundreds. */
    private boolean areYounger(long nanos, long nowNanos) {
        return nowNanos - noneSentBefore < nanos;
    }

    private long passOldest(long nowNanos) {
        long oldest = reads.oldestNanos(nowNanos);
        noneSentBefore = nowNanos - Math.max(0, oldest) - UnansweredReads.ROUNDING_NANOS;
        return oldest;
    }

    @Override
    public void compareWith(Elsewhere elsewhere) {
        othersTailNanos = elsewhere.tailNanos(this);
        othersMeanNanos = elsewhere.meanNanos(this);
        slow.compare(usual.latest(), this, elsewhere, settings);
        if (slow.isSlow()) {
            // By its own past, of which this is part by now, none of its reads would be late for minutes.
            usual.unlearnAbove(Math.max(slow.fromNanos(), othersTailNanos));
        }
        updatePatience();
    }

    @Override
    public long patienceNanos() {
        return patienceNanos;
    }

    @Override
    public void learn(boolean inUse) {
        usual.fold(Learning.kept(inUse), Learning.weight(inUse), Learning.mostNanos(inUse, settings, othersTailNanos));
        excuse.second();
        excuse.atMost(usual.mostNanos());
        longestLasting.second();
        comparedSeconds = onTrial ? COMPARED_SECONDS : Math.max(0, comparedSeconds - 1);
        compared = comparedSeconds > 0;
        updatePatience();
    }

    @Override
    public int unanswered() {
        return reads.count() + lasting.count();
    }

    @Override
    public long oldestNanos(long nowNanos) {
        return Math.max(reads.oldestNanos(nowNanos), lasting.oldestNanos(nowNanos));
    }

    private static VarHandle field(String name, Class<?> type) {
        try {
            return MethodHandles.lookup().findVarHandle(RemoteReads.class, name, type);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
