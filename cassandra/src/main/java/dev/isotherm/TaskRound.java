// SPDX-License-Identifier: Apache-2.0
package dev.isotherm;

import dev.isotherm.cassandra.runtime.Failures;
import dev.isotherm.cassandra.runtime.PeriodicTask;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Tasks of one thread and one period, of which one runs after the other: the thread wakes for all of them at once,
 * which on an idle node costs more than what they do.
 *
 * <p>While none of them is needed the thread wakes {@value #REST_MILLIS} ms later at the soonest.
 */
final class TaskRound implements Runnable {
    /** Least sleep while no task is needed: to wake a hundred times a second is most of what an idle node would do. */
    static final long REST_MILLIS = 200;

    private final ScheduledExecutorService executor;
    private final List<PeriodicTask> tasks;
    private final BooleanSupplier idle;
    private final Failures failures;

    /** @param idle whether all features are off */
    TaskRound(ScheduledExecutorService executor, List<PeriodicTask> tasks, BooleanSupplier idle, Failures failures) {
        this.executor = executor;
        this.tasks = List.copyOf(tasks);
        this.idle = idle;
        this.failures = failures;
    }

    /** Runs the tasks that are needed, and is due again a period after the last of them has ended. */
    @Override
    public void run() {
        boolean needed = false;
        try {
            boolean isIdle = idle.getAsBoolean();
            for (PeriodicTask task : tasks) {
                if (task.isNeeded(isIdle)) {
                    needed = true;
                    task.run(failures);
                }
            }
        } finally {
            schedule(needed);
        }
    }

    /** Begins the rounds, a period from now. */
    void begin() {
        schedule(true);
    }

    private void schedule(boolean needed) {
        long period = tasks.get(0).periodMillis();
        long delay = needed ? period : Math.max(period, REST_MILLIS);
        while (!isScheduled(delay)) {
            // What has no memory now may have some later; given up, the tasks would not run again until a restart.
            LockSupport.parkNanos(this, TimeUnit.MILLISECONDS.toNanos(REST_MILLIS));
        }
    }

    private boolean isScheduled(long delayMillis) {
        try {
            executor.schedule(this, delayMillis, TimeUnit.MILLISECONDS);
            return true;
        } catch (OutOfMemoryError e) {
            return false;
        }
    }
}
