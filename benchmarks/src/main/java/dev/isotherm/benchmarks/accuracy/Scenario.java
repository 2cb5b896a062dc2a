// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.accuracy;

/** The scenario of a simulation: one limited partition, the operations on it, and its cluster. Immutable. */
final class Scenario implements Cloneable {
    final int limit;
    final Arrivals arrivals;
    final double offered;
    final Kind kind;
    final Counter counter;
    private int replicas = 3;
    private Entry entry = Entry.ALL_REPLICAS;
    private long clockSpreadNanos;
    private double burst;
    private double crowdPerSecond;

    /**
     * Three replicas that coordinate equally often, with exact clocks and without other load.
     *
     * @param limit operations per second, at least 1
     * @param offered operations per second, in multiples of the limit
     */
    Scenario(int limit, Arrivals arrivals, double offered, Kind kind, Counter counter) {
        if (limit < 1) {
            throw new IllegalArgumentException("limit " + limit + ": at least 1");
        }
        if (!(offered > 0)) {
            throw new IllegalArgumentException("offered " + offered + ": more than 0");
        }
        this.limit = limit;
        this.arrivals = arrivals;
        this.offered = offered;
        this.kind = kind;
        this.counter = counter;
    }

    /** Operations offered per second. */
    double offeredPerSecond() {
        return offered * limit;
    }

    /** The number of the partition's replicas, which are all nodes. */
    int replicas() {
        return replicas;
    }

    Scenario withReplicas(int count) {
        Scenario copy = copy();
        copy.replicas = count;
        return copy;
    }

    Entry entry() {
        return entry;
    }

    Scenario withEntry(Entry newEntry) {
        Scenario copy = copy();
        copy.entry = newEntry;
        return copy;
    }

    /** The difference between the first and the last node's wall clocks; the others are evenly between. */
    long clockSpreadNanos() {
        return clockSpreadNanos;
    }

    Scenario withClockSpreadNanos(long nanos) {
        Scenario copy = copy();
        copy.clockSpreadNanos = nanos;
        return copy;
    }

    /** The operations that arrive at the first instant at each coordinator, in multiples of the limit. */
    double burst() {
        return burst;
    }

    Scenario withBurst(double multiplesOfLimit) {
        Scenario copy = copy();
        copy.burst = multiplesOfLimit;
        return copy;
    }

    /** Operations per second that each node coordinates on other partitions of the same table. */
    double crowdPerSecond() {
        return crowdPerSecond;
    }

    Scenario withCrowdPerSecond(double perSecond) {
        Scenario copy = copy();
        copy.crowdPerSecond = perSecond;
        return copy;
    }

    private Scenario copy() {
        try {
            return (Scenario) clone();
        } catch (CloneNotSupportedException impossible) {
            throw new AssertionError(impossible);
        }
    }

    @Override
    public String toString() {
        return String.format("limit %d, %s, offered %s x, %s, %s", limit, arrivals, offered, kind, counter);
    }
}
