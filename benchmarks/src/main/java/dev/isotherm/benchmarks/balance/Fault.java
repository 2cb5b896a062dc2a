// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.balance;

/** One way in which a promise is broken. */
final class Fault {
    final String sentence;
    /** How many times what is promised it is; 1 where there is no more or less. */
    final double times;

    Fault(String sentence, double times) {
        this.sentence = sentence;
        this.times = times;
    }
}
