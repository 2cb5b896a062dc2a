// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** The reads of one coordinator that another node serves: which are unanswered, and how long answers usually take. */
final class RemoteReads implements ReadWatch {
    /** A read is late after twice the 99th percentile of the round trips, or of another replica's if that is more. */
    static final double PATIENCE = 2;
    /** During a trial it is late after 1.4 times. */
    static final double PATIENCE_OF_TRIAL = 1.4;
    /** No answer for this many times the patience is silence. */
    private static final int SILENCE = 2;

    private static final VarHandle GOOD = field("good");
    private static final VarHandle LATE = field("late");
    private static final VarHandle STRAY = field("stray");

    private volatile GuardSettings settings;
    private final long giveUpNanos;
    private final UnansweredReads reads = new UnansweredReads();
    private final RoundTripTail usual = new RoundTripTail();
    private volatile int good;
    private volatile int late;
    private volatile int stray;
    private volatile long judgedFromNanos;
    private volatile long lastAnswerNanos;
    private volatile long patienceNanos;
    private volatile boolean onTrial;
    private volatile long othersTailNanos = -1;

    /** @param giveUpNanos the age at which Cassandra has given up a read, 1 or above */
    RemoteReads(GuardSettings settings, long giveUpNanos, long nowNanos) {
        this.settings = settings;
        this.giveUpNanos = giveUpNanos;
        this.judgedFromNanos = nowNanos;
        this.lastAnswerNanos = nowNanos;
        this.patienceNanos = settings.mostPatienceNanos();
    }

    void sent(long id, long nowNanos) {
        reads.sent(id, nowNanos - judgedFromNanos, nowNanos);
    }

    /** Takes an answer of any kind; answers to other messages than reads change nothing. */
    void answered(long id, long nowNanos) {
        long roundTrip = reads.answered(id, nowNanos);
        if (roundTrip < 0) {
            return;
        }
        lastAnswerNanos = nowNanos;
        usual.record(roundTrip);
        VarHandle outcome =
                nowNanos - roundTrip - judgedFromNanos < 0 ? STRAY : roundTrip > patienceNanos ? LATE : GOOD;
        outcome.getAndAdd(this, 1);
    }

    @Override
    public void see(Evidence into, long nowNanos) {
        into.clear();
        into.good = (int) GOOD.getAndSet(this, 0);
        into.late = (int) LATE.getAndSet(this, 0);
        into.stray = (int) STRAY.getAndSet(this, 0);
        if (reads.count() == 0) {
            return;
        }
        long judged = nowNanos - judgedFromNanos;
        long patience = patienceNanos;
        into.unanswered = reads.countOfAge(0, judged, nowNanos);
        if (reads.oldestNanos(nowNanos) < patience) {
            return; // As nearly always: nothing else needs another pass over all places.
        }
        into.overdue = reads.countOfAge(patience, judged, nowNanos);
        long silence = SILENCE * patience;
        into.silent = nowNanos - lastAnswerNanos >= silence && reads.countOfAge(silence, judged, nowNanos) > 0;
        // Where Cassandra gives reads up sooner than they are late, they are remembered until silence has shown.
        reads.giveUp(Math.max(giveUpNanos, silence + patience), nowNanos);
    }

    @Override
    public void judgeFrom(long nowNanos) {
        onTrial = true;
        judgedFromNanos = nowNanos;
        updatePatience();
    }

    @Override
    public void trust() {
        onTrial = false;
        updatePatience();
    }

    @Override
    public void use(GuardSettings changed) {
        settings = changed;
    }

    private void updatePatience() {
        long tail = usual.nanos() < 0 ? -1 : Math.max(usual.nanos(), othersTailNanos);
        patienceNanos = settings.patience(onTrial ? PATIENCE_OF_TRIAL : PATIENCE, tail);
    }

    @Override
    public long tailNanos(boolean inUse) {
        long recent = usual.recentNanos();
        return recent >= 0 || inUse ? Math.max(recent, usual.nanos()) : -1;
    }

    @Override
    public long meanNanos() {
        return usual.recentMeanNanos();
    }

    @Override
    public void compareWith(long tailNanos, long meanNanos) {
        othersTailNanos = tailNanos;
        updatePatience();
    }

    @Override
    public long patienceNanos() {
        return patienceNanos;
    }

    @Override
    public void learn(boolean inUse) {
        usual.fold(Learning.kept(inUse), Learning.weight(inUse));
        updatePatience();
    }

    @Override
    public int unanswered() {
        return reads.count();
    }

    @Override
    public long oldestNanos(long nowNanos) {
        return reads.oldestNanos(nowNanos);
    }

    private static VarHandle field(String name) {
        try {
            return MethodHandles.lookup().findVarHandle(RemoteReads.class, name, int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
