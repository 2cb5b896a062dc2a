// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.queue;

/** Stands for the plugin's class of this name, which the lab does not know. */
public class CounterUpdateInterceptor implements Runnable {
    public int calls;

    public void before() {
        calls++;
    }

    /** Is told of no hook of its own. */
    @Override
    public void run() {
        before();
    }
}
