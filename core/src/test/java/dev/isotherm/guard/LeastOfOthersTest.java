// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class LeastOfOthersTest {
    @Property(tries = 1_000, seed = "71")
    void itIsTheLeastOfAllButOne(@ForAll @Size(max = 6) List<@IntRange(min = -1, max = 4) Integer> figures) {
        LeastOfOthers least = new LeastOfOthers();
        List<ReadWatch> replicas = new ArrayList<>();
        for (int filled = 0; filled < 2; filled++) { // An object that is filled again forgets what it held.
            least.clear();
            replicas.clear();
            for (int figure : figures) {
                replicas.add(new KnownReads(figure, figure, 1));
                least.add(replicas.get(replicas.size() - 1), figure);
            }
        }
        for (int one = 0; one < figures.size(); one++) {
            int without = one;
            Integer exact = IntStream.range(0, figures.size())
                    .filter(other -> other != without && figures.get(other) >= 0)
                    .boxed()
                    .min(Comparator.comparing(figures::get))
                    .orElse(null);
            ReadWatch found = least.without(replicas.get(one));
            assertEquals(exact == null ? null : replicas.get(exact), found);
        }
    }
}
