// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import dev.isotherm.common.Allowed;

/**
 * The reads of one table that a node coordinates per second, in the form sent between nodes: none, or a step of a
 * logarithmic grid. There is one object per step, so two rates are equal exactly if they are the same object.
 */
public final class RequestRate {
    private static final int LAST = 255;

    /*
     * Code 0 means that the rate is not known and is no object here. Code 1 is none; codes 2 to 255 run from 0.1 per
     * second in steps of an eighth of an octave to 3e8 per second: the error is at most 4.5 %.
     */
    private static final double LEAST_PER_SECOND = 0.1;
    private static final double STEPS_PER_OCTAVE = 8;

    private static final RequestRate[] RATES = new RequestRate[LAST + 1];

    static {
        RATES[1] = new RequestRate(1, 0);
        for (int code = 2; code <= LAST; code++) {
            RATES[code] = new RequestRate(code, LEAST_PER_SECOND * Math.pow(2, (code - 2) / STEPS_PER_OCTAVE));
        }
    }

    /** No requests. */
    public static final RequestRate NONE = RATES[1];

    private final int code;
    private final double perSecond;

    private RequestRate(int code, double perSecond) {
        this.code = code;
        this.perSecond = perSecond;
    }

    /**
     * The rate nearest to a number of requests per second; less than 0.1 is {@link #NONE}.
     *
     * @throws IllegalArgumentException unless finite and 0 or above
     */
    public static RequestRate perSecond(double requests) {
        Allowed.finiteNonNegative("requests", requests);
        if (requests < LEAST_PER_SECOND) {
            return NONE;
        }
        double octaves = Math.log(requests / LEAST_PER_SECOND) / Math.log(2);
        return RATES[2 + (int) Math.round(Math.min(LAST - 2, STEPS_PER_OCTAVE * octaves))];
    }

    /** The rate for a code from the wire, 1 to 255; null for 0, an unknown rate, and for any other number. */
    public static RequestRate ofCode(int code) {
        return code < 1 || code > LAST ? null : RATES[code];
    }

    /** Whether there are requests at both rates, and one is the next step of the grid from the other. */
    boolean isBeside(RequestRate other) {
        return this != NONE && other != NONE && Math.abs(code - other.code) == 1;
    }

    /** The code on the wire, 1 to 255. */
    public int code() {
        return code;
    }

    /** Requests per second. */
    public double perSecond() {
        return perSecond;
    }

    @Override
    public String toString() {
        return perSecond + " requests/s";
    }
}
