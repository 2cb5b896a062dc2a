// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import dev.isotherm.common.Allowed;

/**
 * One node's heat for one table in the form sent between nodes: a kind and a value on a logarithmic grid of 256 steps.
 * There is one object per kind and step, so two heats are equal exactly if they are the same object, and decoding a
 * heat allocates nothing.
 */
public final class Heat {
    /** The meaning of a heat's value. */
    public enum Kind {
        /** Misses per read, 0 to 1. */
        MISS_RATIO,
        /** Mean duration of a local read, nanoseconds. */
        READ_TIME,
        /** What a local read costs the node, nanoseconds: of the disk or of a processor, whichever is more. */
        COST;

        /** 1 for the miss ratio, 2 for the read time, 3 for the cost: 0 is not a kind on the wire. */
        int code() {
            return ordinal() + 1;
        }
    }

    private static final int STEPS = 256;
    private static final int LAST = STEPS - 1;

    /*
     * Ratios: code 0 is 0 and codes 1 to 255 run from 1e-4 to exactly 1 in even logarithmic steps of 3.7 %, so a ratio
     * from 1e-4 up has an error of at most 1.9 %. Smaller ones go to the nearer of 0 and 1e-4.
     */
    private static final double LEAST_RATIO = 1e-4;
    private static final double RATIO_STEP = Math.log(1 / LEAST_RATIO) / (LAST - 1);

    /* Times: codes 0 to 255 run from 10 microseconds to 10 seconds in steps of 5.6 %: the error is at most 2.8 %. */
    private static final double LEAST_NANOS = 1e4;
    private static final double MOST_NANOS = 1e10;
    private static final double TIME_STEP = Math.log(MOST_NANOS / LEAST_NANOS) / LAST;

    private static final Heat[] RATIOS = new Heat[STEPS];
    private static final Heat[] TIMES = new Heat[STEPS];
    private static final Heat[] COSTS = new Heat[STEPS];
    private static final Heat[][] BY_KIND = {RATIOS, TIMES, COSTS};

    static {
        for (int code = 0; code < STEPS; code++) {
            double ratio = code == 0 ? 0 : Math.exp(-RATIO_STEP * (LAST - code));
            RATIOS[code] = new Heat(Kind.MISS_RATIO, code, ratio);
            double nanos = code == LAST ? MOST_NANOS : LEAST_NANOS * Math.exp(TIME_STEP * code);
            TIMES[code] = new Heat(Kind.READ_TIME, code, nanos);
            COSTS[code] = new Heat(Kind.COST, code, nanos);
        }
    }

    private final Kind kind;
    private final int code;
    private final double value;

    private Heat(Kind kind, int code, double value) {
        this.kind = kind;
        this.code = code;
        this.value = value;
    }

    /**
     * The heat nearest to a miss ratio; 0 and 1 are kept exactly.
     *
     * @throws IllegalArgumentException unless 0 to 1
     */
    public static Heat missRatio(double ratio) {
        Allowed.ratio("ratio", ratio);
        if (ratio < LEAST_RATIO) {
            return RATIOS[ratio < LEAST_RATIO / 2 ? 0 : 1];
        }
        return RATIOS[LAST + (int) Math.round(Math.log(ratio) / RATIO_STEP)];
    }

    /**
     * The heat nearest to a mean read time, after clamping it to 10 microseconds .. 10 seconds.
     *
     * @throws IllegalArgumentException unless finite and 0 or above
     */
    public static Heat readTimeNanos(double nanos) {
        return TIMES[timeCode(nanos)];
    }

    /**
     * The heat nearest to the cost of a read, after clamping it to 10 microseconds .. 10 seconds.
     *
     * @throws IllegalArgumentException unless finite and 0 or above
     */
    public static Heat costNanos(double nanos) {
        return COSTS[timeCode(nanos)];
    }

    private static int timeCode(double nanos) {
        Allowed.finiteNonNegative("nanos", nanos);
        double clamped = Math.max(LEAST_NANOS, Math.min(MOST_NANOS, nanos));
        return (int) Math.round(Math.log(clamped / LEAST_NANOS) / TIME_STEP);
    }

    /** The coldest possible heat of a kind: every read misses, and takes as long as the settings' cold read. */
    static Heat cold(Kind kind, BalanceSettings settings) {
        switch (kind) {
            case READ_TIME:
                return readTimeNanos(settings.coldReadNanos());
            case COST:
                return costNanos(settings.coldReadNanos());
            default:
                return missRatio(1);
        }
    }

    /** The heat for a kind code and a step code from the wire, or null if no heat has these codes. */
    public static Heat ofCodes(int kindCode, int code) {
        if (code < 0 || code > LAST || kindCode < 1 || kindCode > BY_KIND.length) {
            return null;
        }
        return BY_KIND[kindCode - 1][code];
    }

    public Kind kind() {
        return kind;
    }

    /** Misses per read for {@link Kind#MISS_RATIO}, nanoseconds for the other kinds. */
    public double value() {
        return value;
    }

    /** The kind's code on the wire: 1 to 3. */
    public int kindCode() {
        return kind.code();
    }

    /** The step on the kind's grid, 0 to 255. */
    public int code() {
        return code;
    }

    /** The distance of two heats: the difference of ratios, the relative difference of times, 1 across kinds. */
    public double distanceTo(Heat other) {
        if (kind != other.kind) {
            return 1;
        }
        double difference = Math.abs(value - other.value);
        return kind == Kind.MISS_RATIO ? difference : difference / Math.max(value, other.value);
    }

    @Override
    public String toString() {
        return kind == Kind.MISS_RATIO
                ? "miss ratio " + value
                : (kind == Kind.READ_TIME ? "read time " : "cost ") + value + " ns";
    }
}
