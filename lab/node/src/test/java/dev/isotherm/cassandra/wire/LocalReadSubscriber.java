// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.wire;

/** Stands for the plugin's class of this name, which the lab does not know. */
public class LocalReadSubscriber implements Runnable {
    private final Watcher watcher = new Watcher();

    /** The kind of failure that the watcher has had; null for none. */
    public Throwable failure;

    @Override
    public void run() {
        try {
            watcher.ended.run();
        } catch (RuntimeException e) {
            failure = e;
        }
    }

    @Override
    public String toString() {
        return watcher.whenItFails + ": " + failure;
    }

    /** Who is told; public, as the test has its user defined by another class loader. */
    public static final class Watcher {
        public final String whenItFails = "It is not sampled";
        public final Runnable ended = () -> {};
    }
}
