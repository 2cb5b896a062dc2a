// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.lab;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** The places where Cassandra calls the plugin: what befalls such a call, and how many there were meanwhile. */
public final class Hooks {
    /** What befalls a call, on the thread that calls. */
    interface Fault {
        void befall(String hook);
    }

    private static final Map<String, LongAdder> CALLS = new ConcurrentHashMap<>();

    private static volatile Fault fault;

    private Hooks() {}

    /** Is called where {@link HookedClass} has put it, before the plugin's own code runs. */
    public static void called(String hook) {
        Fault present = fault;
        if (present != null) {
            CALLS.computeIfAbsent(hook, name -> new LongAdder()).increment();
            present.befall(hook);
        }
    }

    /** The same for a place that serves several features. */
    public static void called(String place, String feature) {
        if (fault != null) {
            called(place + " (" + feature + ')');
        }
    }

    /** Lets the fault befall each call from now on, and counts from 0. */
    static void suffer(Fault next) {
        CALLS.clear();
        HookedClass.hooks().forEach(hook -> CALLS.put(hook, new LongAdder()));
        fault = next;
    }

    /** Lets nothing befall them any more; what has begun goes on to its end. */
    static void mend() {
        fault = null;
    }

    /** How often each hook was called while the last fault lasted, 0 for one that Cassandra calls all the time. */
    static Map<String, Long> calls() {
        Map<String, Long> sums = new TreeMap<>();
        CALLS.forEach((hook, calls) -> sums.put(hook, calls.sum()));
        return sums;
    }
}
