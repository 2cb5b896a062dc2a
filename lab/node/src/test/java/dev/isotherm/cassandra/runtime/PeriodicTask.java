// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.runtime;

/** Stands for the plugin's class of this name, which the lab does not know. */
public class PeriodicTask implements Runnable {
    private final String whenItFails = "Nothing is measured";
    private final Runnable task = () -> {};

    /** The kind of failure that the task has had; null for none. */
    public Throwable failure;

    @Override
    public void run() {
        try {
            task.run();
        } catch (RuntimeException e) {
            failure = e;
        }
    }

    @Override
    public String toString() {
        return whenItFails + ": " + failure;
    }
}
