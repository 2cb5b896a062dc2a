// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.accuracy;

import java.util.SplittableRandom;

/** The arrivals of the clients' operations. */
enum Arrivals {
    /** Independent arrivals; each operation goes to a random coordinator. */
    POISSON {
        @Override
        double gap(double mean, SplittableRandom random) {
            return -Math.log1p(-random.nextDouble()) * mean;
        }

        @Override
        int coordinator(long number, int random, int coordinators) {
            return (int) ((random & 0xFFFFFFFFL) * coordinators >>> 32);
        }
    },
    /** Arrivals at equal distances; the coordinators take turns. */
    CONSTANT {
        @Override
        double gap(double mean, SplittableRandom random) {
            return mean;
        }

        @Override
        int coordinator(long number, int random, int coordinators) {
            return (int) (number % coordinators);
        }
    };

    /** The time to the next operation, in the unit of its mean. */
    abstract double gap(double mean, SplittableRandom random);

    /** The coordinator of the operation with that number; random: any 32 bits. */
    abstract int coordinator(long number, int random, int coordinators);
}
