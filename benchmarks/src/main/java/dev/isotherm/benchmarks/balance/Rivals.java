// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.balance;

import java.util.SplittableRandom;

/** The orders with which Isotherm's is compared, but for {@link Shunning}. */
final class Rivals {
    private Rivals() {}

    /** A random order; the coordinator first if it is among those contacted. */
    static Order uniform(int self, int contacts, SplittableRandom random) {
        return (partition, living, into) -> {
            for (int i = 0; i < living.length; i++) {
                int j = random.nextInt(i + 1);
                into[i] = into[j];
                into[j] = living[i];
            }
            for (int i = 1; i < Math.min(contacts, into.length); i++) {
                if (into[i] == self) {
                    into[i] = into[0];
                    into[0] = self;
                }
            }
        };
    }

    /** The coordinator first, then the ring's order: a snitch by topology with one rack. */
    static Order fixed(int self) {
        return (partition, living, into) -> selfFirst(self, living, into);
    }

    static void selfFirst(int self, int[] living, int[] into) {
        int at = 0;
        for (int replica : living) {
            if (replica == self) {
                into[at++] = self;
            }
        }
        for (int replica : living) {
            if (replica != self) {
                into[at++] = replica;
            }
        }
    }
}
