// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.runtime;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.apache.cassandra.concurrent.Stage;

/**
 * How many tasks each stage has run that were no requests served: the plugin's own, and messages that it kept from
 * Cassandra, as those that it refused. A stage counts them with the requests that it serves.
 */
public final class OwnTasks {
    private static final Map<Stage, LongAdder> RUN = new EnumMap<>(Stage.class);

    static {
        for (Stage stage : Stage.values()) {
            RUN.put(stage, new LongAdder());
        }
    }

    private OwnTasks() {}

    /** Counts a task of the plugin's on this stage; the task itself calls it. */
    public static void ran(Stage stage) {
        RUN.get(stage).increment();
    }

    /** The plugin's tasks that have run on this stage since the process started. */
    public static long of(Stage stage) {
        return RUN.get(stage).sum();
    }
}
