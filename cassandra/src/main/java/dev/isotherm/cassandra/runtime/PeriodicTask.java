// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.runtime;

import java.util.function.BooleanSupplier;

/** A task that a feature repeats, on the thread that all features share or on one of its own. Immutable. */
public final class PeriodicTask {
    /** The thread of the tasks that may wait for each other. */
    private static final String SHARED_THREAD = "Isotherm";

    private final String thread;
    private final long periodMillis;
    private final String whenItFails;
    private final Runnable task;
    private final boolean alsoWhileIdle;
    private final BooleanSupplier needed;

    /**
     * @param periodMillis the time from the end of one run to the beginning of the next, 1 or above
     * @param whenItFails the effect of a run that throws, a constant sentence: the next run is due regardless
     */
    public PeriodicTask(long periodMillis, String whenItFails, Runnable task) {
        this(SHARED_THREAD, periodMillis, whenItFails, task, true, () -> true);
    }

    private PeriodicTask(
            String thread,
            long periodMillis,
            String whenItFails,
            Runnable task,
            boolean alsoWhileIdle,
            BooleanSupplier needed) {
        this.thread = thread;
        this.periodMillis = periodMillis;
        this.whenItFails = whenItFails;
        this.task = task;
        this.alsoWhileIdle = alsoWhileIdle;
        this.needed = needed;
    }

    /**
     * A task that waits for no other one.
     *
     * @param thread the name of its thread; a thread more in each node, for a task that measures the time itself
     */
    public static PeriodicTask onItsOwnThread(String thread, long periodMillis, String whenItFails, Runnable task) {
        return new PeriodicTask(thread, periodMillis, whenItFails, task, true, () -> true);
    }

    /** The same task, for when a feature is on: it measures what then decides, and takes its time. */
    public PeriodicTask notWhileIdle() {
        return new PeriodicTask(thread, periodMillis, whenItFails, task, false, needed);
    }

    /**
     * The same task, run only while what it measures can matter.
     *
     * @param asked whether it can; while no task of its thread and period is needed it is asked less often. Must not
     *     throw
     */
    public PeriodicTask whileNeeded(BooleanSupplier asked) {
        return new PeriodicTask(thread, periodMillis, whenItFails, task, alsoWhileIdle, asked);
    }

    /**
     * Whether it is to run now.
     *
     * @param isIdle whether all features are off on this node
     */
    public boolean isNeeded(boolean isIdle) {
        return (alsoWhileIdle || !isIdle) && needed.getAsBoolean();
    }

    /** The name of the thread that runs it: tasks with equal names run one after the other. */
    public String thread() {
        return thread;
    }

    public long periodMillis() {
        return periodMillis;
    }

    /** Runs the task once. Never throws: an executor does not repeat a task that has thrown. */
    public void run(Failures failures) {
        try {
            task.run();
        } catch (Throwable t) {
            failures.recordIfPossible(whenItFails, t);
        }
    }
}
