// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.accuracy;

import dev.isotherm.limit.PartitionId;
import java.util.SplittableRandom;

/**
 * Operations on a million other partitions of a node, all equally frequent: each operation goes to a random partition.
 */
final class Crowd {
    static final int PARTITIONS = 1_000_000;

    private final long[] partitions = new long[PARTITIONS];
    private final Node node;
    private final Scenario scenario;
    private final SplittableRandom random;
    private final double gapNanos;
    private double next;
    private long offered;
    private long admitted;

    /** A crowd that starts at that instant and sends all its operations to this node. */
    Crowd(Scenario scenario, Node node, long startNanos, SplittableRandom random) {
        this.scenario = scenario;
        this.node = node;
        this.random = random;
        gapNanos = 1e9 / scenario.crowdPerSecond();
        next = startNanos + random.nextDouble() * gapNanos;
        long table = random.nextLong();
        for (int i = 0; i < PARTITIONS; i++) {
            partitions[i] = PartitionId.of(table, i, scenario.kind.operation, random.nextLong());
        }
    }

    /** The instant of the next of these operations. */
    long nextNanos() {
        return (long) next;
    }

    /** Sends the operation, at the present instant. */
    void arrive() {
        next += gapNanos;
        long bits = random.nextLong();
        int partition = (int) ((bits >>> 32) * PARTITIONS >>> 32);
        offered++;
        if (node.coordinate(partitions[partition], scenario.limit, (int) bits)) {
            admitted++;
        }
    }

    /** The fraction of these operations that was admitted. */
    double admittedRatio() {
        return (double) admitted / offered;
    }
}
