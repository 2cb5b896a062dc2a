// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.accuracy;

import dev.isotherm.limit.Decision;
import dev.isotherm.limit.PartitionLimiter;
import java.util.ArrayList;
import java.util.List;

/**
 * A bucket of a fixed number of operations for one partition, in exact arithmetic, that also counts its calls: a queue
 * of one deterministic server with that number of places.
 */
final class ExactBucket implements PartitionLimiter {
    private final int places;
    private double paidOffNanos = Double.NEGATIVE_INFINITY;
    long admitted;
    long rejected;
    double accounted;
    final List<Long> accountedAt = new ArrayList<>();
    final List<Long> admittedAt = new ArrayList<>();

    ExactBucket(int places) {
        this.places = places;
    }

    @Override
    public Decision admit(long partition, int limit, double operations, int random, long nowNanos) {
        double debt = Math.max(0, (paidOffNanos - nowNanos) * 1e-9 * limit);
        if (debt > places - 1) {
            rejected++;
            return Decision.REJECTED;
        }
        admitted++;
        admittedAt.add(nowNanos);
        paidOffNanos = Math.max(paidOffNanos, nowNanos) + operations * 1e9 / limit;
        return Decision.ADMITTED_NEAR_LIMIT;
    }

    @Override
    public void account(long partition, int limit, double operations, long nowNanos) {
        accounted += operations;
        accountedAt.add(nowNanos);
        paidOffNanos = Math.max(paidOffNanos, nowNanos) + operations * 1e9 / limit;
    }

    @Override
    public void refund(long partition, int limit, double operations, long nowNanos) {
        throw new UnsupportedOperationException("nothing is refunded here");
    }

    @Override
    public int sweep(long nowNanos) {
        return 1;
    }

    @Override
    public long uncounted() {
        return 0;
    }

    @Override
    public long evicted() {
        return 0;
    }

    @Override
    public long bytes() {
        return 0;
    }
}
