// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.accuracy;

import java.util.SplittableRandom;

/** How the clients' operations follow one another. */
enum Arrivals {
    /** Independently of each other; each goes to any of the coordinators. */
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
    /** At equal distances; the coordinators take turns. */
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

    /** Which of the coordinators the operation of that number goes to; random: any 32 bits. */
    abstract int coordinator(long number, int random, int coordinators);
}
