// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.queue;

/** The sentence said when an argument is not in its range. */
final class Allowed {
    private Allowed() {}

    static IllegalArgumentException refusal(String argument, Object value, String allowed) {
        return new IllegalArgumentException(argument + " is " + value + "; allowed: " + allowed);
    }

    static void depth(int depth) {
        if (!QueueDepth.isValid(depth)) {
            throw refusal("depth", depth, "0 to " + QueueDepth.MAX);
        }
    }
}
