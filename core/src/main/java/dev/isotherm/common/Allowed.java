// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.common;

/** Checks of arguments against their allowed ranges. A refusal names the argument, its value and the range. */
public final class Allowed {
    private Allowed() {}

    public static IllegalArgumentException refusal(String argument, Object value, String allowed) {
        return new IllegalArgumentException(argument + " is " + value + "; allowed: " + allowed);
    }

    public static void ratio(String argument, double value) {
        if (!(value >= 0 && value <= 1)) {
            throw refusal(argument, value, "0 to 1");
        }
    }

    /** As {@link #ratio}, for an element of an array. The element's name is built only for a refusal. */
    public static void ratio(String array, int index, double value) {
        if (!(value >= 0 && value <= 1)) {
            throw refusal(array + "[" + index + "]", value, "0 to 1");
        }
    }

    public static void positiveRatio(String argument, double value) {
        if (!(value > 0 && value <= 1)) {
            throw refusal(argument, value, "above 0, at most 1");
        }
    }

    public static void finiteNonNegative(String argument, double value) {
        if (!(value >= 0 && value < Double.POSITIVE_INFINITY)) {
            throw refusal(argument, value, "a finite number, 0 or above");
        }
    }

    public static void notEmpty(String array, double[] values) {
        if (values == null || values.length == 0) {
            throw refusal(array, values == null ? "null" : "empty", "one value or more");
        }
    }

    public static void contacts(int k, int replicas) {
        if (k < 1 || k > replicas) {
            throw refusal("k", k, "1 to " + replicas + ", the number of replicas");
        }
    }

    /** Parts of one whole: each in [0, 1], their sum 1 to within 1e-9. */
    public static void distribution(String array, double[] parts) {
        notEmpty(array, parts);
        double sum = 0;
        for (int i = 0; i < parts.length; i++) {
            ratio(array, i, parts[i]);
            sum += parts[i];
        }
        if (Math.abs(sum - 1) > 1e-9) {
            throw refusal("the sum of " + array, sum, "1");
        }
    }

    /** A distribution with no part above 1/k: each request contacts k different replicas. */
    public static void cappedDistribution(String array, double[] shares, int k) {
        distribution(array, shares);
        contacts(k, shares.length);
        double cap = 1.0 / k + 1e-9;
        for (int i = 0; i < shares.length; i++) {
            if (shares[i] > cap) {
                throw refusal(array + "[" + i + "]", shares[i], "0 to 1/" + k);
            }
        }
    }
}
