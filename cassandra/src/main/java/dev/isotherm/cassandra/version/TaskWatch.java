// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.version;

/** Is told of tasks, on the thread that runs each. It must not throw. */
public interface TaskWatch {
    /** The present thread begins a task. */
    void begins();

    /** The present thread has ended the task that it began last. */
    void ends();
}
