// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.heat;

import java.util.stream.DoubleStream;

/** The median that is one of the numbers: of an even count the lower one of the middle two. */
final class LowerMedian {
    private LowerMedian() {}

    /** NaN of none. */
    static double of(DoubleStream numbers) {
        double[] sorted = numbers.sorted().toArray();
        return sorted.length == 0 ? Double.NaN : sorted[(sorted.length - 1) / 2];
    }
}
