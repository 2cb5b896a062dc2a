// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.warming;

/** The operator's settings of warming that can change while the node runs. Immutable. */
final class WarmingSettings {
    /** How many copies a cold node serves at a time, at most. */
    final int concurrentReads;
    /** How long a node asks after it has started. */
    final long atMostNanos;

    WarmingSettings(int concurrentReads, long atMostNanos) {
        this.concurrentReads = concurrentReads;
        this.atMostNanos = atMostNanos;
    }
}
