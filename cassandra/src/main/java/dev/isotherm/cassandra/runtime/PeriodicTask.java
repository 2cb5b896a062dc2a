// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.runtime;

/** A task that a feature repeats on the plugin's one thread. Immutable. */
public final class PeriodicTask {
    private final long periodMillis;
    private final String whenItFails;
    private final Runnable task;

    /**
     * @param periodMillis the time from the end of one run to the beginning of the next, 1 or above
     * @param whenItFails the effect of a run that throws, a constant sentence: the next run is due regardless
     */
    public PeriodicTask(long periodMillis, String whenItFails, Runnable task) {
        this.periodMillis = periodMillis;
        this.whenItFails = whenItFails;
        this.task = task;
    }

    public long periodMillis() {
        return periodMillis;
    }

    /** Runs the task once. Never throws: an executor does not repeat a task that has thrown. */
    public void run(Failures failures) {
        try {
            task.run();
        } catch (Throwable t) {
            failures.record(whenItFails, t);
        }
    }
}
