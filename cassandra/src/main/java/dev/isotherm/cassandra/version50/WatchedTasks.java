// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.version50;

import dev.isotherm.cassandra.version.TaskWatch;
import org.apache.cassandra.concurrent.ExecutorLocals;
import org.apache.cassandra.utils.Closeable;

/**
 * A thread's tracing and warnings, as they are, which Cassandra's stages take over around each task that the thread
 * hands to them: so they tell when a thread begins and ends it.
 */
final class WatchedTasks extends ExecutorLocals {
    private final TaskWatch watch;

    private WatchedTasks(ExecutorLocals present, TaskWatch watch) {
        super(present.traceState, present.clientWarnState);
        this.watch = watch;
    }

    /** Begins to watch the present thread's tasks, until the result is run. */
    static Runnable begin(TaskWatch watch) {
        ExecutorLocals before = current();
        WatchedTasks watched = new WatchedTasks(before, watch);
        // To close them is to make them the thread's own.
        watched.close();
        return () -> {
            if (current() == watched) {
                before.close();
            }
        };
    }

    @Override
    public Closeable get() {
        Closeable before = super.get();
        watch.begins();
        return () -> {
            watch.ends();
            before.close();
        };
    }
}
