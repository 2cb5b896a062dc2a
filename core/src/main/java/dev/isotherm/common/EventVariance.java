// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.common;

/** How much single events vary around a mean that stays the same. */
public enum EventVariance {
    /** Each event is 0 or 1: a hit or a miss. */
    OF_RATIO {
        @Override
        double at(double mean) {
            return Math.max(0, mean * (1 - mean));
        }
    },

    /** Numbers of things that come by chance, one by one: as large as their mean. */
    OF_COUNT {
        @Override
        double at(double mean) {
            return mean;
        }
    },

    /** Times of reads of which some hit and some miss: as with a third of misses that take far longer. */
    OF_TIME {
        @Override
        double at(double mean) {
            return 2 * mean * mean;
        }
    };

    /** The variance of one event, in the square of the mean's unit. */
    abstract double at(double mean);
}
