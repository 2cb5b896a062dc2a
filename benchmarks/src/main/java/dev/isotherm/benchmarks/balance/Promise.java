// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.balance;

/** What Isotherm promises of a scenario. */
enum Promise {
    /** From 5 s after the event on, mean and p99 are above uniform reads' by at most 5 % or 1 ms, whichever is more. */
    LATENCY,
    /**
     * From 5 s after the event on, mean and p99 are not more above what either of Cassandra's own orders has, the fixed
     * one and that by latency, nor do more requests time out: promised wherever these are simulated.
     */
    STOCK,
    /** From the event on not more requests time out than with uniform reads; chance may make a difference. */
    TIME_OUTS,
    /** Cold nodes have rejoined within 60 s of the return of the last one. */
    REJOINING,
    /** In the first 5 s after the return p99 is at most 1.5 times that while the node was down. */
    FIRST_SECONDS,
    /**
     * No node's disk or processor has, in two times of 5 s one after the other, more than 1.2 times the greater of the
     * mean load of its datacenter and its own with uniform reads. Copies of reads do not count for the disk: each
     * begins while no client waits for it.
     */
    LOAD,
    /** The reads of equal nodes vary by at most 1.2 times as much as those of uniform reads do by chance. */
    EVEN_SHARES,
    /** From the event on that is so of the nodes of a datacenter to which nothing happens. */
    EVEN_ELSEWHERE,
    /** No read, and no copy of one, is sent to another datacenter. */
    STAYING,
    /** In the steady state at most one plan is made for 100 reads. */
    REBUILDS,
    /**
     * From the event on, mean, p99 and misses are above those of the better of both placements by at most 5 %, or by
     * 0.2 ms and one miss a second.
     */
    BETTER_PLACEMENT,
    /** A node changes its placement at most as often as the load gives reason. */
    NO_FLAPPING,
    /** Rejoining and misses are within a quarter of what the lab measured: what is said of the model itself. */
    MODEL
}
