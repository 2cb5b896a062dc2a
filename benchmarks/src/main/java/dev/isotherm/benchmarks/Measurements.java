// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks;

import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;

/** JMH's results, by the benchmark's method and, if it has one, its parameter {@code offered}. */
public final class Measurements {
    private final Map<String, RunResult> byName = new TreeMap<>();

    public Measurements(Collection<RunResult> results) {
        for (RunResult result : results) {
            String name = result.getParams().getBenchmark();
            String offered = result.getParams().getParam("offered");
            byName.put(name.substring(name.lastIndexOf('.') + 1) + (offered == null ? "" : " " + offered), result);
        }
    }

    /** The names in alphabetical order. */
    public Set<String> names() {
        return byName.keySet();
    }

    /** Nanoseconds in the fastest iteration: other load on the machine can only add time; NaN if it was not run. */
    public double fastest(String name) {
        RunResult result = byName.get(name);
        return result == null
                ? Double.NaN
                : result.getPrimaryResult().getStatistics().getMin();
    }

    /** Nanoseconds in the median iteration; NaN if it was not run. */
    public double median(String name) {
        RunResult result = byName.get(name);
        return result == null
                ? Double.NaN
                : result.getPrimaryResult().getStatistics().getPercentile(50);
    }

    /**
     * Bytes allocated per operation; NaN if it was not run. JMH includes the allocations of its own machinery:
     * fractions of a byte come from JMH.
     */
    @SuppressWarnings("rawtypes") // JMH hands its secondary results out as raw types
    public double bytes(String name) {
        if (!byName.containsKey(name)) {
            return Double.NaN;
        }
        for (Map.Entry<String, Result> secondary :
                byName.get(name).getSecondaryResults().entrySet()) {
            if (secondary.getKey().endsWith("gc.alloc.rate.norm")) {
                return secondary.getValue().getScore();
            }
        }
        throw new IllegalStateException("JMH's gc profiler reported no allocation for " + name);
    }
}
