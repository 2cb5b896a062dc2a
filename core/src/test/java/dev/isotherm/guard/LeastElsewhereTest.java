// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class LeastElsewhereTest {
    private static final long MS = 1_000_000;

    /** A replica whose reads take so long usually; -1 if that is not known. */
    private static RemoteReads replica(int millis) {
        RemoteReads reads = new RemoteReads(GuardSettings.defaults(), 5_000 * MS, 0);
        for (int id = 0; id < 100 && millis >= 0; id++) {
            reads.sent(id, 0);
            reads.answered(id, millis * MS);
        }
        reads.learn(true);
        return reads;
    }

    @Property(tries = 500, seed = "71")
    void itIsTheLeastOfAllOthers(@ForAll @Size(max = 6) List<@IntRange(min = -1, max = 4) Integer> millis) {
        LeastElsewhere tails = new LeastElsewhere();
        List<RemoteReads> replicas = new ArrayList<>();
        for (int filled = 0; filled < 2; filled++) { // An object that is filled again forgets what it held.
            tails.clear();
            replicas.clear();
            millis.forEach(m -> replicas.add(replica(m < 0 ? m : 1 << 2 * m)));
            replicas.forEach(reads -> tails.add(reads, reads.tailNanos(true)));
        }
        for (RemoteReads one : replicas) {
            long exact = replicas.stream()
                    .filter(other -> other != one)
                    .mapToLong(other -> other.tailNanos(true))
                    .filter(tail -> tail >= 0)
                    .min()
                    .orElse(replicas.size() == 1 ? 0 : -1);
            assertEquals(exact, tails.without(one));
        }
    }
}
