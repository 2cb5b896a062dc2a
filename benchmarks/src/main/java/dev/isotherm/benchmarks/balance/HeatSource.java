// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.balance;

/** What nodes take their heat from. */
enum HeatSource {
    /** The row cache's hits and misses. */
    CACHE,
    /** A sample of the reads: their waits for the disk, and how long they take. */
    DISK,
    /** The mean local read time. */
    READ_TIME
}
