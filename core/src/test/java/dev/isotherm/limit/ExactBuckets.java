// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.limit;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.HashMap;
import java.util.Map;

/**
 * The exact reference of {@link BucketLimiter}: an unbounded map of instants that do not wrap. Instants are units of 16
 * ns; limits must divide 62,500,000, so that nothing is rounded.
 */
final class ExactBuckets {
    static final long UNITS_PER_SECOND = 62_500_000;
    /** Limits whose period is a whole number of units. */
    static final int[] LIMITS = {
        1, 2, 4, 5, 8, 10, 16, 20, 32, 50, 100, 125, 1_000, 10_000, 62_500, 156_250, 15_625_000, 62_500_000
    };

    /** An operation's chance: certain, zero, or a bound on the 32 random bits below which the operation is admitted. */
    static final class Chance {
        final double below;

        Chance(double below) {
            this.below = below;
        }

        /** Whether fixed-point and floating-point arithmetic might disagree about this number. */
        boolean isCloseTo(int random) {
            return below > 0 && below < 0x1p32 && Math.abs((random & 0xFFFFFFFFL) - below) <= 2 + below * 2e-5;
        }

        boolean isDrawn(int random) {
            return (random & 0xFFFFFFFFL) < below;
        }
    }

    private final Map<Long, Long> paidOff = new HashMap<>();
    private final double burstSeconds;

    ExactBuckets(double burstSeconds) {
        this.burstSeconds = burstSeconds;
    }

    /** Units until the debt is paid off; negative since then; Long.MIN_VALUE for a partition without debt. */
    long debt(long partition, long nowUnits) {
        Long paid = paidOff.get(partition);
        return paid == null ? Long.MIN_VALUE : paid - nowUnits;
    }

    Chance chance(long partition, int limit, long nowUnits) {
        long debt = debt(partition, nowUnits);
        double free = burstSeconds + Math.min(3.0 / limit, 0.3);
        double beyond = debt / (double) UNITS_PER_SECOND - free;
        if (debt <= 0 || beyond <= 0) {
            return new Chance(0x1p32);
        }
        double steps = beyond / (limit <= 16 ? 0.01 : 0.025);
        double whole = Math.floor(steps);
        if (whole >= 32) {
            return new Chance(0);
        }
        return new Chance((1 - (steps - whole) / 2) * Math.pow(2, 32 - whole));
    }

    void add(long partition, int limit, double operations, long nowUnits) {
        long units = exactly(limit, operations);
        long most = (long) ((burstSeconds + 4) * UNITS_PER_SECOND);
        paidOff.put(partition, nowUnits + Math.min(most, Math.max(debt(partition, nowUnits), 0) + units));
    }

    void remove(long partition, int limit, double operations, long nowUnits) {
        long debt = debt(partition, nowUnits);
        if (debt > 0) {
            paidOff.put(partition, nowUnits + Math.max(0, debt - exactly(limit, operations)));
        }
    }

    /** Removes the debts that are paid off and returns the number of the others. */
    int sweep(long nowUnits) {
        paidOff.values().removeIf(paid -> paid <= nowUnits);
        return paidOff.size();
    }

    private static long exactly(int limit, double operations) {
        return new BigDecimal(operations)
                .multiply(BigDecimal.valueOf(UNITS_PER_SECOND))
                .divide(BigDecimal.valueOf(limit), 0, RoundingMode.UNNECESSARY)
                .longValueExact();
    }
}
