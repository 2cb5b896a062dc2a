// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.runtime;

/** What a feature does again and again, on the plugin's one thread. Immutable. */
public final class PeriodicTask {
    private final long periodMillis;
    private final String whenItFails;
    private final Runnable task;

    /**
     * @param periodMillis from the end of one run to the begin of the next, 1 or above
     * @param whenItFails what happens when a run throws, a constant sentence: the next run is due all the same
     */
    public PeriodicTask(long periodMillis, String whenItFails, Runnable task) {
        this.periodMillis = periodMillis;
        this.whenItFails = whenItFails;
        this.task = task;
    }

    public long periodMillis() {
        return periodMillis;
    }

    /**
     * Runs once. Never throws: an executor never runs a task again that threw, and the plugin would fall silent for
     * good.
     */
    public void run(Failures failures) {
        try {
            task.run();
        } catch (Throwable t) {
            failures.record(whenItFails, t);
        }
    }
}
